package dev.grapevine.settings;

import dev.grapevine.UserException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Objects;

/** Reads and makes records by reflection. */
final class Records {

  /** The settings of a kind that has none. */
  record None() {}

  private Records() {}

  /** Whether a component of this type has its keys in the table of the record around it. */
  static boolean isShared(Class<?> type) {
    return type.isRecord() && type.isAnnotationPresent(SharedSettings.class);
  }

  static Object get(Record settings, RecordComponent component) {
    try {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(settings);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static <R extends Record> R make(Class<R> type, Object[] values) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      Throwable cause = Objects.requireNonNull(e.getCause());
      boolean complains =
          cause instanceof SettingException
              || cause instanceof UserException
              || cause instanceof IllegalArgumentException
              || cause instanceof ArithmeticException;
      if (!complains && OwnCode.place(cause).isPresent()) {
        throw new UserException(
            "the settings of %s fail: %s"
                .formatted(type.getDeclaringClass().getSimpleName(), OwnCode.describe(cause)),
            cause);
      }
      if (cause instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw new IllegalStateException(type.getName() + " failed", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type.getName() + " cannot be made", e);
    }
  }
}

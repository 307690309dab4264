package dev.grapevine.settings;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Reads and makes records by reflection. */
final class Records {

  /** The settings of a kind that has none. */
  record None() {}

  private Records() {}

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
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(type.getName() + " failed", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type.getName() + " cannot be made", e);
    }
  }
}

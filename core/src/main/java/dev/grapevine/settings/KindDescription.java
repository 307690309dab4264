package dev.grapevine.settings;

import dev.grapevine.UserException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One kind of a family: its documentation, its settings and how to build it, all read from the
 * class as {@link Kind} describes.
 */
public final class KindDescription<C, T> {

  private final Family<C, T> family;
  private final String name;
  private final String reference;
  private final Class<?> type;
  private final Optional<Class<? extends Record>> settingsType;
  private final Executable maker;

  private KindDescription(
      Family<C, T> family,
      String reference,
      Class<?> type,
      Optional<Class<? extends Record>> settingsType,
      Executable maker) {
    this.family = family;
    this.type = type;
    this.reference = reference;
    this.settingsType = settingsType;
    this.maker = maker;
    Kind kind = type.getAnnotation(Kind.class);
    this.name = kind == null ? type.getSimpleName() : kind.name();
  }

  /** Reads a registered class, whose annotation names it. */
  static <C, T> KindDescription<C, T> of(Family<C, T> family, Class<?> type) {
    Kind kind = type.getAnnotation(Kind.class);
    if (kind == null) {
      throw new IllegalStateException(type.getName() + " lacks the annotation @Kind");
    }
    return of(family, type, kind.name());
  }

  /**
   * Reads a class that need not be registered.
   *
   * @param reference how an experiment file refers to it
   */
  static <C, T> KindDescription<C, T> of(Family<C, T> family, Class<?> type, String reference) {
    Optional<Class<? extends Record>> settings =
        Stream.concat(
                Arrays.stream(type.getDeclaredClasses())
                    .filter(
                        nested -> nested.isRecord() && nested.getSimpleName().equals("Settings")),
                Stream.<Executable>concat(
                        Arrays.stream(type.getDeclaredMethods())
                            .filter(method -> method.getName().equals("create")),
                        Arrays.stream(type.getDeclaredConstructors()))
                    .flatMap(maker -> Arrays.stream(maker.getParameterTypes()).limit(1))
                    .filter(Records::isShared))
            .findFirst()
            .map(found -> found.asSubclass(Record.class));
    Executable maker = maker(family, type, settings);
    maker.setAccessible(true);
    return new KindDescription<>(family, reference, type, settings, maker);
  }

  private static Executable maker(
      Family<?, ?> family, Class<?> type, Optional<Class<? extends Record>> settings) {
    for (Method method : type.getDeclaredMethods()) {
      if (method.getName().equals("create")
          && Modifier.isStatic(method.getModifiers())
          && family.type().isAssignableFrom(method.getReturnType())
          && takes(method, family, settings)) {
        return method;
      }
    }
    if (family.type().isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
      for (Constructor<?> constructor : type.getDeclaredConstructors()) {
        if (!Modifier.isPrivate(constructor.getModifiers())
            && takes(constructor, family, settings)) {
          return constructor;
        }
      }
    }
    String arguments =
        settings.isPresent()
            ? "(Settings, %s)".formatted(family.context().getSimpleName())
            : "(%s)".formatted(family.context().getSimpleName());
    throw new UserException(
        "class %s cannot be used as a %s: it must implement %s and have a public constructor %s, or have a public static method create%s that returns one"
            .formatted(
                type.getName(), family.name(), family.type().getName(), arguments, arguments));
  }

  private static boolean takes(
      Executable maker, Family<?, ?> family, Optional<Class<? extends Record>> settings) {
    Class<?>[] parameters = maker.getParameterTypes();
    boolean first = true;
    for (int i = 0; i < parameters.length; i++) {
      boolean isSettings = settings.isPresent() && parameters[i] == settings.get();
      boolean isContext = parameters[i].isAssignableFrom(family.context());
      if (i == 0 && isSettings) {
        continue;
      }
      if (!isContext || !first) {
        return false;
      }
      first = false;
    }
    return true;
  }

  public Family<C, T> family() {
    return family;
  }

  public String name() {
    return name;
  }

  /** How an experiment file refers to it: its name, its class or the path of its source. */
  public String reference() {
    return reference;
  }

  public String summary() {
    Kind kind = type.getAnnotation(Kind.class);
    return kind == null ? "" : kind.summary();
  }

  /** The paper that defines it, or empty. */
  public String paper() {
    Kind kind = type.getAnnotation(Kind.class);
    return kind == null ? "" : kind.paper();
  }

  public Class<?> type() {
    return type;
  }

  /** Its settings record, if it has any settings. */
  public Optional<Class<? extends Record>> settingsType() {
    return settingsType;
  }

  public List<SettingDescription> settings() {
    return settingsType.map(SettingDescription::of).orElse(List.of());
  }

  T build(Record settings, C context) {
    Object[] arguments =
        Arrays.stream(maker.getParameterTypes())
            .map(p -> settingsType.isPresent() && p == settingsType.get() ? settings : context)
            .toArray();
    try {
      Object made =
          switch (maker) {
            case Method method -> method.invoke(null, arguments);
            case Constructor<?> constructor -> constructor.newInstance(arguments);
          };
      return family.type().cast(made);
    } catch (InvocationTargetException e) {
      throw failure(Objects.requireNonNull(e.getCause()));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("%s cannot be built".formatted(type.getName()), e);
    }
  }

  /** A complaint passes; anything else that own code throws is shown where it stands. */
  private RuntimeException failure(Throwable cause) {
    return switch (cause) {
      case UserException complaint -> complaint;
      case SettingException complaint -> complaint;
      case Throwable thrown when OwnCode.place(thrown).isPresent() ->
          new UserException(
              "%s %s cannot be made: %s".formatted(family.name(), name, OwnCode.describe(thrown)),
              thrown);
      case RuntimeException thrown -> thrown;
      case Error thrown -> throw thrown;
      case Throwable thrown ->
          new IllegalStateException("%s failed".formatted(type.getName()), thrown);
    };
  }

  @Override
  public String toString() {
    return family.name() + " " + name;
  }
}

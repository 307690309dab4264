package dev.grapevine.settings;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What the types of settings are called in documentation and messages. */
final class SettingType {

  private SettingType() {}

  static Class<?> raw(Type type) {
    return switch (type) {
      case Class<?> c -> c;
      case ParameterizedType p -> (Class<?>) p.getRawType();
      default -> throw new IllegalArgumentException("unsupported type of a setting: " + type);
    };
  }

  static Type argument(Type type, int index) {
    if (type instanceof ParameterizedType parameterized) {
      return parameterized.getActualTypeArguments()[index];
    }
    throw new IllegalArgumentException("the type of a setting lacks its type argument: " + type);
  }

  static boolean isOptional(Type type) {
    Class<?> raw = raw(type);
    return raw == Optional.class
        || raw == OptionalInt.class
        || raw == OptionalLong.class
        || raw == OptionalDouble.class;
  }

  static String inWords(Type type) {
    Class<?> raw = raw(type);
    if (raw == int.class || raw == long.class || raw == Integer.class || raw == Long.class) {
      return "a whole number";
    }
    if (raw == OptionalInt.class || raw == OptionalLong.class) {
      return "a whole number";
    }
    if (raw == double.class
        || raw == float.class
        || raw == Double.class
        || raw == Float.class
        || raw == OptionalDouble.class) {
      return "a number";
    }
    if (raw == boolean.class || raw == Boolean.class) {
      return "true or false";
    }
    if (raw == String.class) {
      return "a text";
    }
    if (raw == Path.class) {
      return "the path of a file";
    }
    if (raw == Duration.class) {
      return "a duration such as \"20 ms\"";
    }
    if (raw == Bandwidth.class) {
      return "a bandwidth such as \"100 Mbit/s\"";
    }
    if (raw == DataSize.class) {
      return "a data size such as \"64 KiB\"";
    }
    if (raw.isEnum()) {
      return "one of "
          + String.join(", ", constants(raw).stream().map(c -> '"' + c + '"').toList());
    }
    if (raw == List.class) {
      return "a list, each " + inWords(argument(type, 0));
    }
    if (raw == Optional.class) {
      return inWords(argument(type, 0));
    }
    if (raw == Choice.class) {
      return "a kind of " + KebabCase.of(raw(argument(type, 1)).getSimpleName()).replace('-', ' ');
    }
    if (raw.isRecord()) {
      return "a table";
    }
    throw new IllegalArgumentException("unsupported type of a setting: " + type);
  }

  static List<String> constants(Class<?> type) {
    return Arrays.stream(type.getEnumConstants()).map(c -> KebabCase.of((Enum<?>) c)).toList();
  }
}

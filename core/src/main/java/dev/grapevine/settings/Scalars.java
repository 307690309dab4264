package dev.grapevine.settings;

import dev.grapevine.UserException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Converts single values to the types that settings have. */
final class Scalars {

  private Scalars() {}

  static Object convert(Class<?> type, RawValue given, String path, Path directory) {
    if (type == int.class || type == Integer.class) {
      return whole(given, path, Integer.MIN_VALUE, Integer.MAX_VALUE).intValue();
    }
    if (type == OptionalInt.class) {
      return OptionalInt.of(whole(given, path, Integer.MIN_VALUE, Integer.MAX_VALUE).intValue());
    }
    if (type == long.class || type == Long.class) {
      return whole(given, path, Long.MIN_VALUE, Long.MAX_VALUE);
    }
    if (type == OptionalLong.class) {
      return OptionalLong.of(whole(given, path, Long.MIN_VALUE, Long.MAX_VALUE));
    }
    if (type == double.class || type == Double.class) {
      return real(given, path);
    }
    if (type == float.class || type == Float.class) {
      return (float) real(given, path);
    }
    if (type == OptionalDouble.class) {
      return OptionalDouble.of(real(given, path));
    }
    if (type == boolean.class || type == Boolean.class) {
      return flag(given, path);
    }
    if (type.isEnum()) {
      return constant(type, given, path);
    }
    if (type == Duration.class) {
      return quantity(type, given, path, Quantity::duration);
    }
    if (type == Bandwidth.class) {
      return quantity(type, given, path, Bandwidth::parse);
    }
    if (type == DataSize.class) {
      return quantity(type, given, path, DataSize::parse);
    }
    if (type == String.class) {
      return text(type, given, path);
    }
    if (type == Path.class) {
      return path(given, path, directory);
    }
    throw new IllegalStateException("%s has an unsupported type: %s".formatted(path, type));
  }

  private static UserException wrong(Class<?> type, RawValue given, String path, String help) {
    return given
        .place()
        .mistake(
            "%s must be %s, but is %s%s"
                .formatted(path, SettingType.inWords(type), given.described(), help));
  }

  private static Long whole(RawValue given, String path, long least, long most) {
    long value =
        switch (given) {
          case RawValue.Whole number -> number.value();
          case RawValue.Text text when text.bare() -> {
            try {
              yield Long.parseLong(text.text().replace("_", ""));
            } catch (NumberFormatException e) {
              throw wrong(int.class, given, path, "");
            }
          }
          case RawValue.Text text when text.text().matches("[+-]?[0-9_]+") ->
              throw wrong(int.class, given, path, "; leave out the quotes");
          default -> throw wrong(int.class, given, path, "");
        };
    if (value < least || value > most) {
      throw given
          .place()
          .mistake("%s must be between %d and %d, but is %d".formatted(path, least, most, value));
    }
    return value;
  }

  private static double real(RawValue given, String path) {
    return switch (given) {
      case RawValue.Whole number -> number.value();
      case RawValue.Real number -> number.value();
      case RawValue.Text text when text.bare() -> {
        try {
          yield Double.parseDouble(text.text().replace("_", ""));
        } catch (NumberFormatException e) {
          throw wrong(double.class, given, path, "");
        }
      }
      case RawValue.Text text when text.text().matches("[+-]?[0-9_.]+([eE][+-]?[0-9]+)?") ->
          throw wrong(double.class, given, path, "; leave out the quotes");
      case RawValue.Text text when text.text().matches("[0-9.]+ *%") ->
          throw wrong(double.class, given, path, "; write a percentage as a fraction, 0.1 for 10%");
      default -> throw wrong(double.class, given, path, "");
    };
  }

  private static boolean flag(RawValue given, String path) {
    return switch (given) {
      case RawValue.Flag flag -> flag.value();
      case RawValue.Text text when text.bare() && text.text().equals("true") -> true;
      case RawValue.Text text when text.bare() && text.text().equals("false") -> false;
      case RawValue.Text text when text.text().equals("true") || text.text().equals("false") ->
          throw wrong(boolean.class, given, path, "; leave out the quotes");
      default -> throw wrong(boolean.class, given, path, "");
    };
  }

  private static String text(Class<?> type, RawValue given, String path) {
    if (given instanceof RawValue.Text text) {
      return text.text();
    }
    throw wrong(type, given, path, "; put it in quotes");
  }

  private static Object constant(Class<?> type, RawValue given, String path) {
    List<String> names = SettingType.constants(type);
    if (given instanceof RawValue.Text text) {
      int index = names.indexOf(text.text());
      if (index >= 0) {
        return type.getEnumConstants()[index];
      }
      String guess =
          Nearest.to(text.text(), names).map(n -> "; did you mean \"" + n + "\"?").orElse("");
      throw wrong(type, given, path, guess);
    }
    throw wrong(type, given, path, "");
  }

  private interface Parser {
    Object parse(String text);
  }

  private static Object quantity(Class<?> type, RawValue given, String path, Parser parser) {
    if (!(given instanceof RawValue.Text text)) {
      throw wrong(type, given, path, "; write it as text with its unit");
    }
    try {
      return parser.parse(text.text());
    } catch (IllegalArgumentException e) {
      throw wrong(type, given, path, ": " + e.getMessage());
    }
  }

  private static Path path(RawValue given, String path, Path directory) {
    String text = text(Path.class, given, path);
    try {
      return directory.resolve(text).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw wrong(Path.class, given, path, ": " + e.getReason());
    }
  }
}

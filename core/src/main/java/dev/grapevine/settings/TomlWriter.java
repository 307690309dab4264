package dev.grapevine.settings;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Writes settings as TOML that binds to equal settings. */
public final class TomlWriter {

  private TomlWriter() {}

  /** The keys of a settings record with their values; empty optionals are left out. */
  public static Map<String, String> keys(Record settings) {
    Map<String, String> keys = new LinkedHashMap<>();
    for (RecordComponent component : settings.getClass().getRecordComponents()) {
      Object value = Records.get(settings, component);
      if (isPresent(value)) {
        keys.put(KebabCase.of(component.getName()), value(value));
      }
    }
    return keys;
  }

  private static boolean isPresent(Object value) {
    return switch (value) {
      case Optional<?> optional -> optional.isPresent();
      case OptionalInt optional -> optional.isPresent();
      case OptionalLong optional -> optional.isPresent();
      case OptionalDouble optional -> optional.isPresent();
      default -> true;
    };
  }

  /** One value. */
  public static String value(Object value) {
    return switch (value) {
      case String text -> text(text);
      case Enum<?> constant -> text(KebabCase.of(constant));
      case Path path -> text(path.toString());
      case Duration duration -> text(Quantity.format(duration));
      case Bandwidth bandwidth -> text(bandwidth.toString());
      case DataSize size -> text(size.toString());
      case Float number -> number(number);
      case Double number -> number(number);
      case Optional<?> optional -> value(optional.orElseThrow());
      case OptionalInt optional -> value(optional.getAsInt());
      case OptionalLong optional -> value(optional.getAsLong());
      case OptionalDouble optional -> value(optional.getAsDouble());
      case List<?> list ->
          list.stream().map(TomlWriter::value).collect(Collectors.joining(", ", "[", "]"));
      case ChosenKind<?, ?> choice -> choice(choice);
      case Record table -> inline(keys(table));
      default -> value.toString();
    };
  }

  private static String choice(ChosenKind<?, ?> choice) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("kind", text(choice.kind().reference()));
    keys.putAll(keys(choice.settings()));
    return keys.size() == 1 ? text(choice.kind().reference()) : inline(keys);
  }

  private static String inline(Map<String, String> keys) {
    return keys.entrySet().stream()
        .map(entry -> entry.getKey() + " = " + entry.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String number(double number) {
    if (Double.isNaN(number)) {
      return "nan";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "inf" : "-inf";
    }
    return Double.toString(number);
  }

  /** A basic string with its escapes. */
  public static String text(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ' || c == 127) {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.append('"').toString();
  }
}

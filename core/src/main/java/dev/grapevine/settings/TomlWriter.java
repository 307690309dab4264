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
      if (Records.isShared(component.getType())) {
        keys.putAll(keys((Record) value));
      } else if (isPresent(value)) {
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

  /** A value as it was written. */
  public static String raw(RawValue value) {
    return switch (value) {
      case RawValue.Text text -> text.bare() ? bare(text.text()) : text(text.text());
      case RawValue.Whole number -> Long.toString(number.value());
      case RawValue.Real number -> number(number.value());
      case RawValue.Flag flag -> Boolean.toString(flag.value());
      case RawValue.Date date -> date.text();
      case RawValue.Sequence list ->
          list.items().stream().map(TomlWriter::raw).collect(Collectors.joining(", ", "[", "]"));
      case RawValue.Table table ->
          table.entries().entrySet().stream()
              .map(entry -> key(entry.getKey()) + " = " + raw(entry.getValue().value()))
              .collect(Collectors.joining(", ", "{", "}"));
    };
  }

  /** What was written without quotes is a number or a flag where it reads as one. */
  private static String bare(String text) {
    return text.matches("true|false|[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?") ? text : text(text);
  }

  /** A key, in quotes where TOML asks for them. */
  public static String key(String key) {
    return key.matches("[A-Za-z0-9_-]+") ? key : text(key);
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

package dev.grapevine.settings;

import dev.grapevine.UserException;
import dev.grapevine.settings.RawValue.Entry;
import dev.grapevine.settings.RawValue.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/** Reads TOML into {@link RawValue}s, each with the place where it stands. */
public final class TomlText {

  private final String source;
  private final List<String> lines;

  private TomlText(String source, String text) {
    this.source = source;
    this.lines = text.lines().toList();
  }

  /**
   * @param source what to call the text in messages, such as the file's name
   */
  public static Table parse(String source, String given) {
    // Some editors begin a file with a mark of the byte order, which is no part of its text.
    String text = given.startsWith("\uFEFF") ? given.substring(1) : given;
    TomlText reader = new TomlText(source, text);
    TomlParseResult parsed = Toml.parse(text);
    if (parsed.hasErrors()) {
      throw reader.mistake(parsed.errors().getFirst());
    }
    return reader.table(parsed, Place.named(source));
  }

  private UserException mistake(TomlParseError error) {
    TomlPosition at = error.position();
    int offset = offset(at);
    String message = String.valueOf(error.getMessage());
    String line = line(at);
    if (message.contains("previously defined")) {
      return key(at).mistake(message.replace("previously defined at", "was already given on"));
    }
    if (message.contains("expected a value")
        && offset < line.length()
        && Character.isLetter(line.charAt(offset))) {
      int end = offset;
      while (end < line.length() && " \t,]}#".indexOf(line.charAt(end)) < 0) {
        end++;
      }
      return place(at, end - offset)
          .mistake("text needs quotes: \"%s\"".formatted(line.substring(offset, end)));
    }
    return place(at, 1).mistake("this is not TOML: " + message);
  }

  private Table table(TomlTable toml, Place place) {
    LinkedHashMap<String, Entry> entries = new LinkedHashMap<>();
    for (String key : toml.keySet()) {
      List<String> path = List.of(key);
      TomlPosition at = toml.inputPositionOf(path);
      Place keyPlace = at == null ? place : key(at);
      Object value = toml.get(path);
      Place valuePlace = at == null ? place : value(at);
      entries.put(
          key,
          new Entry(
              convert(value, value instanceof TomlTable ? keyPlace : valuePlace), keyPlace, 0));
    }
    return new Table(entries, place);
  }

  private RawValue convert(Object value, Place place) {
    return switch (value) {
      case String text -> new RawValue.Text(text, false, place);
      case Long number -> new RawValue.Whole(number, place);
      case Double number -> new RawValue.Real(number, place);
      case Boolean flag -> new RawValue.Flag(flag, place);
      case TomlTable table -> table(table, place);
      case TomlArray array -> {
        List<RawValue> items = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
          TomlPosition at = array.inputPositionOf(i);
          items.add(convert(array.get(i), place(at, valueWidth(line(at), offset(at)))));
        }
        yield new RawValue.Sequence(List.copyOf(items), place);
      }
      default -> new RawValue.Date(value.toString(), place);
    };
  }

  private String line(TomlPosition at) {
    return at.line() <= lines.size() ? lines.get(at.line() - 1) : "";
  }

  /** TOML's columns count code points; ours count the characters of a string. */
  private int offset(TomlPosition at) {
    String line = line(at);
    int points = Math.min(at.column() - 1, line.codePointCount(0, line.length()));
    return line.offsetByCodePoints(0, points);
  }

  private Place place(TomlPosition at, int width) {
    return new Place(source, at.line(), offset(at) + 1, width, line(at));
  }

  private Place key(TomlPosition at) {
    String line = line(at);
    int start = offset(at);
    int end = line.startsWith("[", start) ? valueEnd(line, start) : equalsSign(line, start);
    return place(at, Math.max(1, line.substring(start, end).stripTrailing().length()));
  }

  private Place value(TomlPosition keyAt) {
    String line = line(keyAt);
    int start = offset(keyAt);
    if (line.startsWith("[", start)) {
      return key(keyAt);
    }
    int value = equalsSign(line, start) + 1;
    while (value < line.length() && Character.isWhitespace(line.charAt(value))) {
      value++;
    }
    if (value >= line.length()) {
      return key(keyAt);
    }
    return new Place(source, keyAt.line(), value + 1, valueWidth(line, value), line);
  }

  private static int equalsSign(String line, int start) {
    char quote = 0;
    for (int i = start; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '=') {
        return i;
      }
    }
    return line.length();
  }

  private static int valueWidth(String line, int start) {
    return Math.max(1, line.substring(start, valueEnd(line, start)).stripTrailing().length());
  }

  /** The end of the value that starts at {@code start}, or of the line if it goes on below. */
  private static int valueEnd(String line, int start) {
    char quote = 0;
    int depth = 0;
    for (int i = start; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        if (c == '\\' && quote == '"') {
          i++;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '[' || c == '{') {
        depth++;
      } else if (c == ']' || c == '}') {
        depth--;
        if (depth < 0) {
          return i;
        }
      } else if (c == '#' || (c == ',' && depth == 0)) {
        return i;
      }
    }
    return line.length();
  }
}

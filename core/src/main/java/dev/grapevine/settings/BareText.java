package dev.grapevine.settings;

import dev.grapevine.UserException;
import java.util.ArrayList;
import java.util.List;

/**
 * Values as people write them without a TOML file around: {@code 0.05}, {@code 20 ms}, {@code [1,
 * 2]}, {@code {kind = "zfp", tolerance = 0.001}}. What the text means is settled by the type of the
 * setting.
 */
public final class BareText {

  private BareText() {}

  public static RawValue parse(String text, Place place) {
    String value = text.strip();
    if (value.startsWith("[")
        || value.startsWith("{")
        || value.startsWith("\"")
        || value.startsWith("'")) {
      try {
        return at(TomlText.parse("", "x = " + value).get("x").orElseThrow(), place);
      } catch (UserException notToml) {
        if (value.startsWith("[") && value.endsWith("]") && !value.contains("{")) {
          return list(value, place);
        }
      }
    }
    return new RawValue.Text(value, true, place);
  }

  private static RawValue list(String value, Place place) {
    List<RawValue> items = new ArrayList<>();
    for (String item : value.substring(1, value.length() - 1).split(",")) {
      items.add(new RawValue.Text(item.strip(), true, place));
    }
    return new RawValue.Sequence(List.copyOf(items), place);
  }

  private static RawValue at(RawValue value, Place place) {
    return switch (value) {
      case RawValue.Text text -> new RawValue.Text(text.text(), false, place);
      case RawValue.Whole number -> new RawValue.Whole(number.value(), place);
      case RawValue.Real number -> new RawValue.Real(number.value(), place);
      case RawValue.Flag flag -> new RawValue.Flag(flag.value(), place);
      case RawValue.Date date -> new RawValue.Date(date.text(), place);
      case RawValue.Sequence list ->
          new RawValue.Sequence(list.items().stream().map(item -> at(item, place)).toList(), place);
      case RawValue.Table table -> {
        RawValue.Table moved = RawValue.Table.empty(place);
        for (var entry : table.entries().entrySet()) {
          moved =
              moved.with(
                  entry.getKey(),
                  new RawValue.Entry(at(entry.getValue().value(), place), place, 0));
        }
        yield moved;
      }
    };
  }
}

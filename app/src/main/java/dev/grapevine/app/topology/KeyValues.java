package dev.grapevine.app.topology;

import dev.grapevine.UserException;
import java.util.List;
import java.util.regex.Pattern;

/** Options that are a kind's settings, {@code --degree 4} or {@code --degree=4}. */
final class KeyValues {

  private static final Pattern TOML =
      Pattern.compile("true|false|[+-]?\\d[\\d_]*(\\.\\d+)?([eE][+-]?\\d+)?|[\\[{\"'].*");

  private KeyValues() {}

  /** The options as lines of a TOML table; text may be without quotes. */
  static String toToml(List<String> options, String kind) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < options.size(); i++) {
      String option = options.get(i);
      if (!option.startsWith("--") || option.length() == 2) {
        throw new UserException(
            "'"
                + option
                + "' is not an option: settings are given as --name value; those of "
                + kind
                + " are told by: grapevine list topology "
                + kind);
      }
      int equals = option.indexOf('=');
      String key = equals < 0 ? option.substring(2) : option.substring(2, equals);
      if (equals < 0 && i + 1 == options.size()) {
        throw new UserException(
            "option " + option + " lacks its value: write " + option + " VALUE");
      }
      String value = equals < 0 ? options.get(++i) : option.substring(equals + 1);
      lines.append(key).append(" = ").append(quoted(value)).append('\n');
    }
    return lines.toString();
  }

  private static String quoted(String value) {
    return TOML.matcher(value).matches()
        ? value
        : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}

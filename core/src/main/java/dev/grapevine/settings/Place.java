package dev.grapevine.settings;

import dev.grapevine.UserException;

/**
 * Where a piece of an experiment was written: a line of a file, an option of the command line, or
 * nowhere but in the code.
 *
 * @param source what the user calls it: a file's name, {@code --set}
 * @param line from 1, or 0 where there are no lines
 * @param column from 1, counted in characters of {@code text}
 * @param width how many characters are meant
 * @param text the whole line
 */
public record Place(String source, int line, int column, int width, String text) {

  /** A place that has a name but no text to point at. */
  public static Place named(String source) {
    return new Place(source, 0, 1, 0, "");
  }

  /** The text that is meant. */
  String written() {
    int start = Math.clamp(column - 1L, 0, text.length());
    return text.substring(start, Math.min(text.length(), start + width));
  }

  /** The mistake as the user sees it: where, what, and the line with a caret below. */
  public UserException mistake(String message) {
    return new UserException(describe(message));
  }

  String describe(String message) {
    StringBuilder out = new StringBuilder(source);
    if (line > 0) {
      out.append(':').append(line).append(':').append(column);
    }
    out.append(": ").append(message);
    if (text.isBlank()) {
      return out.toString();
    }
    String number = line > 0 ? Integer.toString(line) : "";
    String margin = "  " + " ".repeat(number.length()) + " | ";
    out.append("\n  ").append(number).append(" | ").append(text.stripTrailing());
    out.append('\n').append(margin);
    int start = Math.clamp(column - 1L, 0, text.length());
    for (int i = 0; i < start; i++) {
      out.append(text.charAt(i) == '\t' ? '\t' : ' ');
    }
    return out.append("^".repeat(Math.max(1, width))).toString();
  }
}

package dev.grapevine.benchmarks.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of names and numbers; units stand in the columns' titles. */
public final class Table {

  private final String key;
  private final String title;
  private final List<String> columns;
  private final List<List<@Nullable Object>> rows = new ArrayList<>();

  Table(String key, String title, List<String> columns) {
    this.key = key;
    this.title = title;
    this.columns = columns;
  }

  /** Adds a row; null stands for what is not known. */
  public void row(@Nullable Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "row does not fit the table: cells=%d, columns=%d"
              .formatted(cells.length, columns.size()));
    }
    List<@Nullable Object> row = new ArrayList<>();
    Collections.addAll(row, cells);
    rows.add(row);
  }

  String key() {
    return key;
  }

  List<Map<String, @Nullable Object>> json() {
    List<Map<String, @Nullable Object>> objects = new ArrayList<>();
    for (List<@Nullable Object> row : rows) {
      Map<String, @Nullable Object> object = new LinkedHashMap<>();
      for (int i = 0; i < row.size(); i++) {
        object.put(key(columns.get(i)), known(row.get(i)));
      }
      objects.add(object);
    }
    return objects;
  }

  void print(PrintWriter out) {
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = columns.get(i).length();
      for (List<@Nullable Object> row : rows) {
        widths[i] = Math.max(widths[i], text(row.get(i)).length());
      }
    }
    out.println(title);
    printRow(out, columns, widths);
    rows.forEach(row -> printRow(out, row, widths));
    out.println();
  }

  private static void printRow(
      PrintWriter out, List<? extends @Nullable Object> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      // Names to the left, what is counted to the right.
      String format = i == 0 ? "%-" + widths[i] + "s" : "  %" + widths[i] + "s";
      line.append(format.formatted(text(cells.get(i))));
    }
    out.println(line.toString().stripTrailing());
  }

  /** A title as a JSON key: {@code "message ms"} becomes {@code "message_ms"}. */
  public static String key(String title) {
    return title
        .toLowerCase(Locale.ROOT)
        .replace("%", "percent")
        .replaceAll("[^a-z0-9]+", "_")
        .replaceAll("^_|_$", "");
  }

  /** JSON has no NaN. */
  static @Nullable Object known(@Nullable Object value) {
    return value instanceof Double number && !Double.isFinite(number) ? null : value;
  }

  static String text(@Nullable Object value) {
    return switch (known(value)) {
      case null -> "-";
      case Boolean truth -> truth ? "yes" : "NO";
      case Double number -> text(number.doubleValue());
      case Number whole -> String.format(Locale.ROOT, "%,d", whole.longValue());
      case Object other -> other.toString();
    };
  }

  private static String text(double value) {
    double size = Math.abs(value);
    int decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 || size == 0 ? 2 : 4;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}

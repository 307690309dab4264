package dev.grapevine.app.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table of text, to be written in several formats. The first column stands left, others right.
 *
 * @param header titles of the columns
 * @param rows each as long as the header
 */
public record Table(List<String> header, List<List<String>> rows) {

  /** How a table can be written. */
  public enum Format {
    TEXT,
    CSV,
    MARKDOWN,
    LATEX
  }

  public Table {
    header = List.copyOf(header);
    rows = rows.stream().map(List::copyOf).toList();
  }

  public String in(Format format) {
    return switch (format) {
      case TEXT -> text();
      case CSV -> csv();
      case MARKDOWN -> markdown();
      case LATEX -> latex();
    };
  }

  private List<List<String>> all() {
    List<List<String>> all = new ArrayList<>();
    all.add(header);
    all.addAll(rows);
    return all;
  }

  private String text() {
    int[] widths = new int[header.size()];
    for (List<String> row : all()) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : all()) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String padding = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? row.get(i) + padding : "  " + padding + row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private String csv() {
    return all().stream()
        .map(row -> row.stream().map(Table::csvField).collect(Collectors.joining(",")))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String csvField(String field) {
    return field.matches("[^,\"\n]*") ? field : '"' + field.replace("\"", "\"\"") + '"';
  }

  private String markdown() {
    StringBuilder text = new StringBuilder();
    text.append(markdownRow(header)).append("|:--");
    text.append("|--:".repeat(header.size() - 1)).append("|\n");
    rows.forEach(row -> text.append(markdownRow(row)));
    return text.toString();
  }

  private static String markdownRow(List<String> row) {
    return row.stream()
        .map(field -> field.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  private String latex() {
    StringBuilder text = new StringBuilder();
    text.append("\\begin{tabular}{l").append("r".repeat(header.size() - 1)).append("}\n");
    text.append("\\hline\n").append(latexRow(header)).append("\\hline\n");
    rows.forEach(row -> text.append(latexRow(row)));
    return text.append("\\hline\n\\end{tabular}\n").toString();
  }

  private static String latexRow(List<String> row) {
    return row.stream().map(Table::latexField).collect(Collectors.joining(" & ", "", " \\\\\n"));
  }

  private static String latexField(String field) {
    return field
        .replace("\\", "\\textbackslash ")
        .replaceAll("([&%$#_{}])", "\\\\$1")
        .replace("~", "\\textasciitilde ")
        .replace("^", "\\textasciicircum ")
        .replace("±", "$\\pm$")
        .replace("–", "--");
  }
}

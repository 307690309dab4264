package dev.grapevine.app.compare;

import dev.grapevine.UserException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A table of text, to be written in several formats. The first column stands left, others right.
 *
 * @param header titles of the columns
 * @param rows each as long as the header
 * @param bold the cells that are the best of their column, shown where a format has bold type
 */
public record Table(List<String> header, List<List<String>> rows, Set<Cell> bold) {

  /** A place in the table, both counted from 0 and without the header. */
  public record Cell(int row, int column) {}

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
    bold = Set.copyOf(bold);
  }

  public Table(List<String> header, List<List<String>> rows) {
    this(header, rows, Set.of());
  }

  /** The columns whose titles contain one of the given words, in the order of the words. */
  public Table columns(List<String> wanted) {
    List<Integer> chosen = new ArrayList<>();
    for (String name : wanted) {
      int before = chosen.size();
      for (int i = 0; i < header.size(); i++) {
        if (!chosen.contains(i) && matches(header.get(i), name)) {
          chosen.add(i);
        }
      }
      if (chosen.size() == before) {
        throw new UserException(
            "there is no column \"%s\"; there are: %s".formatted(name, String.join(", ", header)));
      }
    }
    Set<Cell> kept =
        bold.stream()
            .filter(cell -> chosen.contains(cell.column))
            .map(cell -> new Cell(cell.row, chosen.indexOf(cell.column)))
            .collect(Collectors.toSet());
    return new Table(
        chosen.stream().map(header::get).toList(),
        rows.stream().map(row -> chosen.stream().map(row::get).toList()).toList(),
        kept);
  }

  /** By the whole title, or by how it begins. */
  private static boolean matches(String title, String name) {
    return title.toLowerCase(Locale.ROOT).startsWith(name.strip().toLowerCase(Locale.ROOT));
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
    for (int row = 0; row < rows.size(); row++) {
      List<String> cells = new ArrayList<>();
      for (int column = 0; column < header.size(); column++) {
        String cell = rows.get(row).get(column);
        cells.add(bold.contains(new Cell(row, column)) ? "**" + cell + "**" : cell);
      }
      text.append(markdownRow(cells));
    }
    return text.toString();
  }

  private static String markdownRow(List<String> row) {
    return row.stream()
        .map(field -> field.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  private String latex() {
    StringBuilder text = new StringBuilder();
    text.append("% needs \\usepackage{booktabs}\n");
    text.append("\\begin{tabular}{l").append("r".repeat(header.size() - 1)).append("}\n");
    text.append("\\toprule\n").append(latexRow(-1)).append("\\midrule\n");
    for (int row = 0; row < rows.size(); row++) {
      text.append(latexRow(row));
    }
    return text.append("\\bottomrule\n\\end{tabular}\n").toString();
  }

  /** A row, or the header as row -1. */
  private String latexRow(int row) {
    List<String> cells = new ArrayList<>();
    for (int column = 0; column < header.size(); column++) {
      String cell = latexField((row < 0 ? header : rows.get(row)).get(column));
      // Bold also in mathematics, where the sign of an interval is.
      cells.add(
          bold.contains(new Cell(row, column))
              ? "\\textbf{" + cell.replace("$\\pm$", "$\\mathbf{\\pm}$") + "}"
              : cell);
    }
    return String.join(" & ", cells) + " \\\\\n";
  }

  private static String latexField(String field) {
    return field
        .replace("\\", "\u0001")
        .replaceAll("([&%$#_{}])", "\\\\$1")
        .replace("\u0001", "\\textbackslash{}")
        .replace("~", "\\textasciitilde{}")
        .replace("^", "\\textasciicircum{}")
        .replace("±", "$\\pm$")
        .replace("–", "--");
  }
}

package dev.grapevine.benchmarks.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * All that one run of a benchmark measured: facts about the machine, tables, and the figures that
 * have targets. As JSON: one object with {@code benchmark}, the facts, {@code tables} (by key, each
 * a list of objects) and {@code figures}.
 */
public final class Report {

  private final String benchmark;
  private final Map<String, @Nullable Object> facts = new LinkedHashMap<>();
  private final List<Table> tables = new ArrayList<>();
  private final List<Figure> figures = new ArrayList<>();

  public Report(String benchmark) {
    this.benchmark = benchmark;
    fact("cores", Runtime.getRuntime().availableProcessors());
  }

  /** Something that the figures have to be read with. */
  public void fact(String name, @Nullable Object value) {
    facts.put(name, value);
  }

  /**
   * A new table, to be filled.
   *
   * @param key its name in JSON
   * @param title what people read above it
   */
  public Table table(String key, String title, String... columns) {
    Table table = new Table(key, title, List.of(columns));
    tables.add(table);
    return table;
  }

  public void figure(Figure figure) {
    figures.add(figure);
  }

  public List<Figure> figures() {
    return List.copyOf(figures);
  }

  /** Prints everything for people. */
  public void print(PrintWriter out) {
    List<String> said = new ArrayList<>();
    facts.forEach((name, value) -> said.add(name + " " + Table.text(value)));
    out.println(String.join(", ", said));
    out.println();
    tables.forEach(table -> table.print(out));
    Table summary =
        new Table("figures", "Figures", List.of("figure", "value", "unit", "wanted", "reached"));
    for (Figure figure : figures) {
      Figure.@Nullable Target wanted = figure.wanted();
      summary.row(
          figure.name(),
          figure.value(),
          figure.unit(),
          wanted == null ? null : wanted.side().words() + " " + Table.text(wanted.value()),
          figure.reached());
    }
    summary.print(out);
    out.flush();
  }

  /** The same as one JSON object. */
  public String json() {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    object.put("benchmark", benchmark);
    facts.forEach((name, value) -> object.put(Table.key(name), Table.known(value)));
    Map<String, Object> byKey = new LinkedHashMap<>();
    tables.forEach(table -> byKey.put(table.key(), table.json()));
    object.put("tables", byKey);
    object.put("figures", figures.stream().map(Report::json).toList());
    return JsonMapper.shared().writeValueAsString(object);
  }

  private static Map<String, @Nullable Object> json(Figure figure) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    Figure.@Nullable Target wanted = figure.wanted();
    object.put("name", figure.name());
    object.put("value", Table.known(figure.value()));
    object.put("unit", figure.unit());
    object.put("wanted", wanted == null ? null : wanted.side().words());
    object.put("target", wanted == null ? null : wanted.value());
    object.put("reached", figure.reached());
    return object;
  }
}

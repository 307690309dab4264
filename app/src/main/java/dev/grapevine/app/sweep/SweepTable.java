package dev.grapevine.app.sweep;

import dev.grapevine.app.compare.Table;
import dev.grapevine.app.console.Texts;
import dev.grapevine.app.plot.ParallelCoordinates;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SeedGroup;
import dev.grapevine.results.Spread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The result of a sweep: one row for each combination of values, taken together over the seeds, the
 * best first. Judged by validation accuracy, or by test accuracy where nothing was held out for
 * validation. Holds nothing that depends on the clock: the same runs give the same table.
 */
final class SweepTable {

  private static final String SEED = "seed";
  private static final List<String> ACCURACIES =
      List.of(Metrics.VALIDATION_ACCURACY, Metrics.TEST_ACCURACY);

  private record Row(SequencedMap<String, String> values, int wanted, SeedGroup runs) {}

  private final List<String> keys;
  private final List<Row> rows;
  private final String judge;

  private SweepTable(List<String> keys, List<Row> rows, String judge) {
    this.keys = keys;
    this.rows = rows;
    this.judge = judge;
  }

  /** Reads all points that are done. */
  static SweepTable of(List<PointDirectory> points) {
    SequencedMap<SequencedMap<String, String>, List<PointDirectory>> bySetting =
        new LinkedHashMap<>();
    for (PointDirectory point : points) {
      SequencedMap<String, String> values = new LinkedHashMap<>(point.point().values());
      values.remove(SEED);
      bySetting.computeIfAbsent(values, v -> new ArrayList<>()).add(point);
    }
    List<Row> rows = new ArrayList<>();
    for (Map.Entry<SequencedMap<String, String>, List<PointDirectory>> entry :
        bySetting.entrySet()) {
      List<SavedRun> done =
          entry.getValue().stream()
              .filter(PointDirectory::isDone)
              .map(point -> SavedRun.read(point.path()))
              .toList();
      rows.add(new Row(entry.getKey(), entry.getValue().size(), new SeedGroup("", done)));
    }
    boolean validated =
        rows.stream().anyMatch(row -> spread(row, Metrics.VALIDATION_ACCURACY).count() > 0);
    String judge = validated ? Metrics.VALIDATION_ACCURACY : Metrics.TEST_ACCURACY;
    // Stable: equally good ones stay in the order of the sweep; those without any go last.
    rows.sort(
        Comparator.comparingInt(SweepTable::rounds)
            .reversed()
            .thenComparingDouble((Row row) -> {
              double mean = spread(row, judge).mean();
              return Double.isNaN(mean) ? Double.POSITIVE_INFINITY : -mean;
            }));
    return new SweepTable(List.copyOf(bySetting.firstEntry().getKey().keySet()), rows, judge);
  }

  /** How long a row was trained, where that differs: longer ones are the more telling. */
  private static int rounds(Row row) {
    String rounds = row.values.getOrDefault("rounds", "0");
    return rounds.matches("\\d{1,9}") ? Integer.parseInt(rounds) : 0;
  }

  /** What a search goes by: the accuracy over the seeds of one place, NaN if none is done. */
  static double accuracy(List<PointDirectory> seeds) {
    List<SavedRun> done =
        seeds.stream()
            .filter(PointDirectory::isDone)
            .map(point -> SavedRun.read(point.path()))
            .toList();
    SeedGroup group = new SeedGroup("", done);
    double validation = Spread.of(group.last(Metrics.VALIDATION_ACCURACY)).mean();
    return Double.isNaN(validation)
        ? Spread.of(group.last(Metrics.TEST_ACCURACY)).mean()
        : validation;
  }

  /** Draws what was tried and what came of it, where several keys were varied. */
  List<Path> draw(Path directory) {
    List<ParallelCoordinates.Line> lines =
        rows.stream()
            .map(row ->
                new ParallelCoordinates.Line(
                    row.values.values().stream().map(SweepTable::bare).toList(),
                    spread(row, judge).mean()))
            .filter(line -> !Double.isNaN(line.result()))
            .toList();
    return keys.isEmpty() || lines.size() < 2
        ? List.of()
        : ParallelCoordinates.write(keys, lines, judge(), directory);
  }

  private static Spread spread(Row row, String metric) {
    return Spread.of(row.runs.last(metric));
  }

  /** Which accuracy the rows are sorted by. */
  String judge() {
    return judge.replace('_', ' ');
  }

  /** For people. */
  Table text() {
    List<String> header = new ArrayList<>(List.of("rank"));
    header.addAll(keys);
    header.addAll(List.of("seeds", "validation %", "test %", "test loss", "sent per node"));
    List<List<String>> lines = new ArrayList<>();
    for (Row row : rows) {
      List<String> line = new ArrayList<>(List.of(Integer.toString(lines.size() + 1)));
      row.values.values().forEach(value -> line.add(bare(value)));
      line.add(
          row.runs.runs().size() == row.wanted
              ? Integer.toString(row.wanted)
              : row.runs.runs().size() + " of " + row.wanted);
      ACCURACIES.forEach(metric -> line.add(percent(spread(row, metric))));
      line.add(number("%.4f", spread(row, Metrics.TEST_LOSS).mean()));
      double sent = spread(row, Metrics.BYTES_SENT).mean();
      line.add(Double.isNaN(sent) ? "–" : Texts.bytes(sent));
      lines.add(line);
    }
    return new Table(header, lines);
  }

  /** For programs: shares of one, bytes; empty where unknown. */
  Table numbers() {
    List<String> header = new ArrayList<>(keys);
    header.addAll(
        List.of(
            "seeds",
            "validation_accuracy",
            "validation_accuracy_ci95",
            "test_accuracy",
            "test_accuracy_ci95",
            "test_loss",
            "bytes_sent_per_node"));
    List<List<String>> lines = new ArrayList<>();
    for (Row row : rows) {
      List<String> line =
          new ArrayList<>(row.values.values().stream().map(SweepTable::bare).toList());
      line.add(Integer.toString(row.runs.runs().size()));
      for (String metric : ACCURACIES) {
        line.add(plain(spread(row, metric).mean()));
        line.add(plain(spread(row, metric).confidence95()));
      }
      line.add(plain(spread(row, Metrics.TEST_LOSS).mean()));
      line.add(plain(spread(row, Metrics.BYTES_SENT).mean()));
      lines.add(line);
    }
    return new Table(header, lines);
  }

  /** A text without the quotes that TOML puts around it. */
  private static String bare(String toml) {
    return toml.length() > 1 && toml.startsWith("\"") && toml.endsWith("\"")
        ? toml.substring(1, toml.length() - 1).replace("\\\"", "\"").replace("\\\\", "\\")
        : toml;
  }

  private static String percent(Spread spread) {
    String mean = number("%.2f", 100 * spread.mean());
    return spread.count() < 2 ? mean : mean + number(" ± %.2f", 100 * spread.confidence95());
  }

  private static String number(String pattern, double number) {
    return Double.isNaN(number) ? "–" : String.format(Locale.ROOT, pattern, number);
  }

  private static String plain(double number) {
    return Double.isNaN(number) ? "" : Double.toString(number);
  }
}

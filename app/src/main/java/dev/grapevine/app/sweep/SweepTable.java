package dev.grapevine.app.sweep;

import dev.grapevine.app.compare.Table;
import dev.grapevine.app.run.Texts;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.RunGroup;
import dev.grapevine.results.RunResults;
import dev.grapevine.results.Sample;
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

  private record Row(SequencedMap<String, String> values, int wanted, RunGroup runs) {}

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
      List<RunResults> done =
          entry.getValue().stream()
              .filter(PointDirectory::isDone)
              .map(point -> RunResults.read(point.path()))
              .toList();
      rows.add(new Row(entry.getKey(), entry.getValue().size(), new RunGroup("", done)));
    }
    boolean validated =
        rows.stream().anyMatch(row -> sample(row, Metrics.VALIDATION_ACCURACY).count() > 0);
    String judge = validated ? Metrics.VALIDATION_ACCURACY : Metrics.TEST_ACCURACY;
    // Stable: equally good ones stay in the order of the sweep; those without any go last.
    rows.sort(
        Comparator.comparingDouble((Row row) -> {
          double mean = sample(row, judge).mean();
          return Double.isNaN(mean) ? Double.POSITIVE_INFINITY : -mean;
        }));
    return new SweepTable(List.copyOf(bySetting.firstEntry().getKey().keySet()), rows, judge);
  }

  private static Sample sample(Row row, String metric) {
    return Sample.of(row.runs.last(metric));
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
      line.addAll(row.values.values());
      line.add(
          row.runs.runs().size() == row.wanted
              ? Integer.toString(row.wanted)
              : row.runs.runs().size() + " of " + row.wanted);
      ACCURACIES.forEach(metric -> line.add(percent(sample(row, metric))));
      line.add(number("%.4f", sample(row, Metrics.TEST_LOSS).mean()));
      double sent = sample(row, Metrics.BYTES_SENT).mean();
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
      List<String> line = new ArrayList<>(row.values.values());
      line.add(Integer.toString(row.runs.runs().size()));
      for (String metric : ACCURACIES) {
        line.add(plain(sample(row, metric).mean()));
        line.add(plain(sample(row, metric).confidence95()));
      }
      line.add(plain(sample(row, Metrics.TEST_LOSS).mean()));
      line.add(plain(sample(row, Metrics.BYTES_SENT).mean()));
      lines.add(line);
    }
    return new Table(header, lines);
  }

  private static String percent(Sample sample) {
    String mean = number("%.2f", 100 * sample.mean());
    return sample.count() < 2 ? mean : mean + number(" ± %.2f", 100 * sample.confidence95());
  }

  private static String number(String pattern, double number) {
    return Double.isNaN(number) ? "–" : String.format(Locale.ROOT, pattern, number);
  }

  private static String plain(double number) {
    return Double.isNaN(number) ? "" : Double.toString(number);
  }
}

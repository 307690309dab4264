package dev.grapevine.app.zoo;

import dev.grapevine.app.compare.Table;
import dev.grapevine.app.console.Texts;
import dev.grapevine.app.plot.ScatterPlot;
import dev.grapevine.app.sweep.PointDirectory;
import dev.grapevine.results.Axis;
import dev.grapevine.results.Curve;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SeedGroup;
import dev.grapevine.results.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Rows by their accuracy at equal rounds, bytes and time, the best at equal rounds first. Between
 * two evaluations a row's accuracy is on the straight line between them.
 *
 * @param rows those of which runs are done
 * @param bytes what a node may send for the ranking at equal bytes
 * @param seconds the time for the ranking at equal time
 */
record Ranking(List<Row> rows, double bytes, double seconds) {

  private static final double SHARE_OF_FIRST = 0.25;

  /** Of the dearest row's bytes: what sends less would leave most of the picture empty. */
  private static final double LEAST_SHOWN = 1e-3;

  /** What a row reached with a budget, and whether it would have had some left. */
  record Reached(double accuracy, boolean hasLeft) {}

  /**
   * What one row reached.
   *
   * @param last at the end of its rounds
   * @param sent bytes a node has sent in all
   * @param took seconds in all
   */
  record Row(
      String name,
      String group,
      int seeds,
      Spread last,
      Reached atBytes,
      Reached atTime,
      double sent,
      double took) {}

  private record Runs(String name, String group, SeedGroup runs) {}

  /** Ranks what is done; a budget that is not given is a part of what the first row spends. */
  static Ranking of(Zoo zoo, List<PointDirectory> points, double bytes, double seconds) {
    List<Runs> done = new ArrayList<>();
    zoo.byRow()
        .forEach((name, ofRow) -> {
          List<SavedRun> runs =
              points.stream()
                  .filter(point -> ofRow.contains(point.point()))
                  .filter(PointDirectory::isDone)
                  .map(point -> SavedRun.read(point.path()))
                  .toList();
          if (!runs.isEmpty()) {
            String group = zoo.rows().getOrDefault(name, new Zoo.Animal("", List.of())).group();
            done.add(new Runs(name, group, new SeedGroup(name, runs)));
          }
        });
    double sent = done.isEmpty() ? 0 : end(done.getFirst().runs, Axis.BYTES);
    double took = done.isEmpty() ? 0 : end(done.getFirst().runs, Axis.TIME);
    double mostBytes = Double.isNaN(bytes) ? SHARE_OF_FIRST * sent : bytes;
    double mostSeconds = Double.isNaN(seconds) ? SHARE_OF_FIRST * took : seconds;
    List<Row> rows = new ArrayList<>();
    for (Runs row : done) {
      rows.add(
          new Row(
              row.name,
              row.group,
              row.runs.runs().size(),
              Spread.of(row.runs.last(Metrics.TEST_ACCURACY)),
              reached(row.runs.curve(Metrics.TEST_ACCURACY, Axis.BYTES), mostBytes),
              reached(row.runs.curve(Metrics.TEST_ACCURACY, Axis.TIME), mostSeconds),
              end(row.runs, Axis.BYTES),
              end(row.runs, Axis.TIME)));
    }
    // Stable: equally good ones stay in the order of the file; those without any go last.
    rows.sort(Comparator.comparingDouble(row -> -orLowest(row.last.mean())));
    return new Ranking(rows, mostBytes, mostSeconds);
  }

  private static double end(SeedGroup runs, Axis axis) {
    List<Curve.Point> points = runs.curve(Metrics.TEST_ACCURACY, axis).points();
    return points.isEmpty() ? 0 : points.getLast().x();
  }

  private static double orLowest(double accuracy) {
    return Double.isNaN(accuracy) ? -1 : accuracy;
  }

  static Reached reached(Curve curve, double budget) {
    Curve.Point before = null;
    for (Curve.Point point : curve.points()) {
      if (point.x() > budget) {
        if (before == null) {
          return new Reached(Double.NaN, false);
        }
        double part = (budget - before.x()) / (point.x() - before.x());
        double from = before.y().mean();
        return new Reached(from + part * (point.y().mean() - from), false);
      }
      before = point;
    }
    return before == null
        ? new Reached(Double.NaN, false)
        : new Reached(before.y().mean(), before.x() < budget * (1 - 1e-9));
  }

  /** For people. */
  Table text() {
    List<String> header =
        List.of(
            "algorithm",
            "rank",
            "equal rounds",
            "equal bytes",
            "equal time",
            "sent by a node",
            "time",
            "seeds");
    List<List<String>> lines = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      lines.add(
          List.of(
              row.name,
              Integer.toString(i + 1),
              percent(row.last),
              ranked(row.atBytes, rows.stream().map(Row::atBytes).toList()),
              ranked(row.atTime, rows.stream().map(Row::atTime).toList()),
              Texts.bytes(row.sent),
              Texts.duration(Duration.ofMillis((long) (1000 * row.took))),
              Integer.toString(row.seeds)));
    }
    return new Table(header, lines, best());
  }

  private Set<Table.Cell> best() {
    Set<Table.Cell> best = new HashSet<>();
    for (int i = 0; i < rows.size(); i++) {
      if (i == 0) {
        best.add(new Table.Cell(i, 2));
      }
      if (rank(rows.get(i).atBytes, rows.stream().map(Row::atBytes).toList()) == 1) {
        best.add(new Table.Cell(i, 3));
      }
      if (rank(rows.get(i).atTime, rows.stream().map(Row::atTime).toList()) == 1) {
        best.add(new Table.Cell(i, 4));
      }
    }
    return best;
  }

  private static String percent(Spread spread) {
    if (spread.count() == 0) {
      return "–";
    }
    String mean = String.format(Locale.ROOT, "%.1f", 100 * spread.mean());
    return spread.count() < 2
        ? mean
        : mean + String.format(Locale.ROOT, " ± %.1f", 100 * spread.confidence95());
  }

  private static String ranked(Reached own, List<Reached> all) {
    return Double.isNaN(own.accuracy)
        ? "–"
        : String.format(
            Locale.ROOT, "%s%.1f (%d)", own.hasLeft ? "<" : "", 100 * own.accuracy, rank(own, all));
  }

  private static int rank(Reached own, List<Reached> all) {
    return Double.isNaN(own.accuracy)
        ? all.size()
        : 1 + (int) all.stream().filter(other -> other.accuracy > own.accuracy).count();
  }

  /** For programs: shares of one, bytes, seconds; empty where unknown. */
  Table numbers() {
    List<String> header =
        List.of(
            "algorithm",
            "group",
            "seeds",
            "accuracy",
            "accuracy_ci95",
            "accuracy_at_equal_bytes",
            "accuracy_at_equal_time",
            "bytes_sent_per_node",
            "seconds",
            "equal_bytes",
            "equal_seconds");
    List<List<String>> lines = new ArrayList<>();
    for (Row row : rows) {
      lines.add(
          List.of(
              row.name,
              row.group,
              Integer.toString(row.seeds),
              number(row.last.mean()),
              number(row.last.confidence95()),
              number(row.atBytes.accuracy),
              number(row.atTime.accuracy),
              number(row.sent),
              number(row.took),
              number(bytes),
              number(seconds)));
    }
    return new Table(header, lines);
  }

  private static String number(double number) {
    return Double.isNaN(number) ? "" : Double.toString(number);
  }

  /** Accuracy against what it cost, of all that send anything to speak of. */
  List<ScatterPlot.Spot> spots() {
    double least = LEAST_SHOWN * rows.stream().mapToDouble(Row::sent).max().orElse(0);
    return rows.stream()
        .filter(row -> row.sent > least && row.last.count() > 0)
        .map(row -> new ScatterPlot.Spot(row.name, row.group, row.sent, 100 * row.last.mean()))
        .toList();
  }

  ScatterPlot.Titles titles() {
    return new ScatterPlot.Titles("sent by a node", "test accuracy at equal rounds (%)");
  }
}

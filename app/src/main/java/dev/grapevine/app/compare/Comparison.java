package dev.grapevine.app.compare;

import dev.grapevine.UserException;
import dev.grapevine.results.HolmCorrection;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.PairedTest;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SeedGroup;
import dev.grapevine.results.SeedGroup.Reached;
import dev.grapevine.results.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Groups of runs side by side. Accuracies are means over the nodes, then over the seeds, with the
 * 95 % confidence interval over the seeds.
 *
 * @param groups at least one
 * @param metric the accuracy or R² that is compared
 * @param target the accuracy whose cost is asked for
 */
record Comparison(List<SeedGroup> groups, String metric, OptionalDouble target) {

  /** Compares by {@link SeedGroup#measure}. */
  static Comparison of(List<SeedGroup> groups, OptionalDouble target) {
    String metric = SeedGroup.measure(groups);
    return new Comparison(
        groups, metric, target.isPresent() ? target : highestThatAllReach(groups, metric));
  }

  /** In whole percent, rounded down. */
  private static OptionalDouble highestThatAllReach(List<SeedGroup> groups, String metric) {
    return groups.stream()
        .flatMapToDouble(group -> Arrays.stream(group.highest(metric)))
        .filter(best -> !Double.isNaN(best))
        .map(best -> Math.floor(100 * best) / 100)
        .min();
  }

  Table results() {
    List<String> header =
        new ArrayList<>(List.of("run", "seeds", "final " + measure() + " %", "best %"));
    target.ifPresent(share -> {
      String percent = Figures.whole(100 * share) + " %";
      header.addAll(List.of("rounds to " + percent, "time to", "sent to"));
    });
    header.addAll(
        List.of("sent per node", "train", "share", "wait", "evaluate", "duration", "memory"));
    return new Table(header, groups.stream().map(this::row).toList(), best(header));
  }

  /** The highest accuracy and the least cost of each column; none where all are equal. */
  private Set<Table.Cell> best(List<String> header) {
    Set<Table.Cell> best = new HashSet<>();
    List<double[]> columns = new ArrayList<>();
    columns.add(numbers(group -> -Spread.of(group.last(metric)).mean()));
    columns.add(numbers(group -> -Spread.of(group.highest(metric)).mean()));
    target.ifPresent(share -> {
      columns.add(numbers(group -> cost(group, share, Reached::rounds)));
      columns.add(numbers(group -> cost(group, share, Reached::seconds)));
      columns.add(numbers(group -> cost(group, share, Reached::bytes)));
    });
    columns.add(numbers(group -> mean(group, Metrics.BYTES_SENT)));
    int first = header.indexOf("seeds") + 1;
    for (int column = 0; column < columns.size(); column++) {
      double[] values = columns.get(column);
      double least = Arrays.stream(values).filter(v -> !Double.isNaN(v)).min().orElse(Double.NaN);
      if (Arrays.stream(values).allMatch(v -> v == least)) {
        continue;
      }
      for (int row = 0; row < values.length; row++) {
        if (values[row] == least) {
          best.add(new Table.Cell(row, first + column));
        }
      }
    }
    return best;
  }

  private double[] numbers(ToDoubleFunction<SeedGroup> figure) {
    return groups.stream().mapToDouble(figure).toArray();
  }

  private double cost(SeedGroup group, double share, ToDoubleFunction<Reached> figure) {
    List<Optional<Reached>> reached = group.reached(metric, share);
    return reached.stream().anyMatch(Optional::isEmpty)
        ? Double.NaN
        : mean(reached.stream().flatMap(Optional::stream).toList(), figure);
  }

  private String measure() {
    return metric.endsWith("r2") ? "R²" : "accuracy";
  }

  private List<String> row(SeedGroup group) {
    List<String> row = new ArrayList<>();
    row.add(group.label());
    row.add(String.valueOf(group.runs().size()));
    row.add(Figures.percent(Spread.of(group.last(metric))));
    row.add(Figures.percent(Spread.of(group.highest(metric))));
    target.ifPresent(share -> row.addAll(cost(group.reached(metric, share))));
    row.add(Figures.bytes(mean(group, Metrics.BYTES_SENT)));
    row.add(Figures.seconds(mean(group, Metrics.SECONDS_TRAIN)));
    row.add(Figures.seconds(mean(group, Metrics.SECONDS_SHARE)));
    row.add(Figures.seconds(mean(group, Metrics.SECONDS_WAIT)));
    row.add(Figures.seconds(mean(group, Metrics.SECONDS_EVALUATE)));
    row.add(Figures.seconds(summary(group, "wall_seconds")));
    row.add(Figures.bytes(summary(group, "peak_memory_bytes")));
    return row;
  }

  /** The same in base units, for programs: shares of one, seconds, bytes; empty where unknown. */
  Table numbers() {
    List<String> header =
        List.of(
            "run",
            "seeds",
            "final_accuracy",
            "final_accuracy_ci95",
            "best_accuracy",
            "best_accuracy_ci95",
            "target_accuracy",
            "rounds_to_target",
            "seconds_to_target",
            "bytes_to_target",
            "bytes_sent_per_node",
            "seconds_train",
            "seconds_share",
            "seconds_wait",
            "seconds_evaluate",
            "wall_seconds",
            "peak_memory_bytes");
    return new Table(header, groups.stream().map(this::numberRow).toList());
  }

  private List<String> numberRow(SeedGroup group) {
    Spread last = Spread.of(group.last(metric));
    Spread best = Spread.of(group.highest(metric));
    double wanted = target.orElse(Double.NaN);
    List<Optional<Reached>> all = group.reached(metric, wanted);
    List<Reached> there = all.stream().flatMap(Optional::stream).toList();
    there = there.size() < all.size() ? List.of() : there;
    List<String> row = new ArrayList<>();
    row.add(group.label());
    row.add(String.valueOf(group.runs().size()));
    for (double number :
        new double[] {
          last.mean(),
          last.confidence95(),
          best.mean(),
          best.confidence95(),
          wanted,
          mean(there, Reached::rounds),
          mean(there, Reached::seconds),
          mean(there, Reached::bytes),
          mean(group, Metrics.BYTES_SENT),
          mean(group, Metrics.SECONDS_TRAIN),
          mean(group, Metrics.SECONDS_SHARE),
          mean(group, Metrics.SECONDS_WAIT),
          mean(group, Metrics.SECONDS_EVALUATE),
          summary(group, "wall_seconds"),
          summary(group, "peak_memory_bytes")
        }) {
      row.add(Double.isNaN(number) ? "" : String.valueOf(number));
    }
    return row;
  }

  private static double mean(SeedGroup group, String metric) {
    return Spread.of(group.last(metric)).mean();
  }

  private static double summary(SeedGroup group, String key) {
    return Spread.of(
            group.runs().stream()
                .mapToDouble(run ->
                    run.summary()
                        .map(json -> json.path(key))
                        .filter(value -> value.isNumber())
                        .map(value -> value.asDouble())
                        .orElse(Double.NaN))
                .toArray())
        .mean();
  }

  private static List<String> cost(List<Optional<Reached>> reached) {
    List<Reached> there = reached.stream().flatMap(Optional::stream).toList();
    if (there.size() < reached.size()) {
      String how = there.isEmpty() ? "never" : there.size() + " of " + reached.size();
      return List.of(how, Figures.UNKNOWN, Figures.UNKNOWN);
    }
    return List.of(
        Figures.whole(mean(there, Reached::rounds)),
        Figures.seconds(mean(there, Reached::seconds)),
        Figures.bytes(mean(there, Reached::bytes)));
  }

  private static double mean(List<Reached> reached, ToDoubleFunction<Reached> figure) {
    return reached.stream().mapToDouble(figure).average().orElse(Double.NaN);
  }

  /** The settings in which the groups differ. */
  Table differences() {
    List<SavedRun> firsts = groups.stream().map(group -> group.runs().getFirst()).toList();
    SequencedMap<String, List<String>> differing = SeedGroup.differences(firsts);
    differing.remove("name");
    List<String> header = new ArrayList<>(List.of("setting"));
    groups.forEach(group -> header.add(group.label()));
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<String, List<String>> entry : differing.entrySet()) {
      List<String> row = new ArrayList<>(List.of(entry.getKey()));
      row.addAll(entry.getValue());
      rows.add(row);
    }
    return new Table(header, rows);
  }

  /** The group that others are measured against: by its label, or how this begins. */
  static int baseline(List<SeedGroup> groups, String wanted) {
    List<String> labels = groups.stream().map(SeedGroup::label).toList();
    if (labels.contains(wanted)) {
      return labels.indexOf(wanted);
    }
    List<Integer> fitting =
        IntStream.range(0, labels.size())
            .filter(i -> labels.get(i).contains(wanted))
            .boxed()
            .toList();
    if (fitting.size() != 1) {
      throw new UserException(
          "the baseline must fit exactly one group of runs: baseline=%s fits %d; there are: %s"
              .formatted(wanted, fitting.size(), String.join("; ", labels)));
    }
    return fitting.getFirst();
  }

  /**
   * Every group against the baseline, by final accuracy, paired over the seeds. Where there are
   * several, the probabilities are Holm's, so that one verdict among many is as safe as one alone.
   */
  Table significance(int baseline) {
    SeedGroup first = groups.get(baseline);
    List<SeedGroup> others = groups.stream().filter(group -> group != first).toList();
    List<PairedTest> tests = others.stream().map(group -> group.compare(first, metric)).toList();
    double[] p = HolmCorrection.of(tests.stream().mapToDouble(PairedTest::p).toArray());
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < others.size(); i++) {
      PairedTest test = tests.get(i);
      String difference =
          test.pairs() == 0
              ? Figures.UNKNOWN
              : String.format(Locale.ROOT, "%+.2f", 100 * test.difference());
      String verdict =
          test.pairs() < 2
              ? "unknown: needs two or more seeds in common"
              : (p[i] < 0.05 ? "significant" : "not significant")
                  + ", "
                  + Figures.probability(p[i]);
      rows.add(
          List.of(
              others.get(i).label() + " against " + first.label(),
              difference,
              String.valueOf(test.pairs()),
              verdict));
    }
    String level = others.size() > 1 ? "at 5 % (Holm)" : "at 5 %";
    return new Table(List.of("final " + measure(), "difference (points)", "pairs", level), rows);
  }
}

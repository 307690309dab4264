package dev.grapevine.app.compare;

import dev.grapevine.results.Metrics;
import dev.grapevine.results.PairedTest;
import dev.grapevine.results.RunGroup;
import dev.grapevine.results.RunGroup.Reached;
import dev.grapevine.results.RunResults;
import dev.grapevine.results.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.function.ToDoubleFunction;

/**
 * Groups of runs side by side. Accuracies are means over the nodes, then over the seeds, with the
 * 95 % confidence interval over the seeds.
 *
 * @param groups at least one
 * @param metric the accuracy that is compared
 * @param target the accuracy whose cost is asked for
 */
record Comparison(List<RunGroup> groups, String metric, OptionalDouble target) {

  /** Compares by test accuracy or, where no run has it, by the average model's. */
  static Comparison of(List<RunGroup> groups, OptionalDouble target) {
    boolean local =
        groups.stream()
            .flatMap(group -> group.runs().stream())
            .anyMatch(run -> run.metric(Metrics.TEST_ACCURACY).isPresent());
    String metric = local ? Metrics.TEST_ACCURACY : Metrics.AVERAGE_ACCURACY;
    return new Comparison(
        groups, metric, target.isPresent() ? target : highestThatAllReach(groups, metric));
  }

  /** In whole percent, rounded down. */
  private static OptionalDouble highestThatAllReach(List<RunGroup> groups, String metric) {
    return groups.stream()
        .flatMapToDouble(group -> Arrays.stream(group.highest(metric)))
        .filter(best -> !Double.isNaN(best))
        .map(best -> Math.floor(100 * best) / 100)
        .min();
  }

  Table results() {
    List<String> header = new ArrayList<>(List.of("run", "seeds", "final accuracy %", "best %"));
    target.ifPresent(share -> {
      String percent = Figures.whole(100 * share) + " %";
      header.addAll(List.of("rounds to " + percent, "time to", "sent to"));
    });
    header.addAll(
        List.of("sent per node", "train", "share", "wait", "evaluate", "duration", "memory"));
    return new Table(header, groups.stream().map(this::row).toList());
  }

  private List<String> row(RunGroup group) {
    List<String> row = new ArrayList<>();
    row.add(group.label());
    row.add(String.valueOf(group.runs().size()));
    row.add(Figures.percent(Sample.of(group.last(metric))));
    row.add(Figures.percent(Sample.of(group.highest(metric))));
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

  private List<String> numberRow(RunGroup group) {
    Sample last = Sample.of(group.last(metric));
    Sample best = Sample.of(group.highest(metric));
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

  private static double mean(RunGroup group, String metric) {
    return Sample.of(group.last(metric)).mean();
  }

  private static double summary(RunGroup group, String key) {
    return Sample.of(
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
    List<RunResults> firsts = groups.stream().map(group -> group.runs().getFirst()).toList();
    SequencedMap<String, List<String>> differing = RunGroup.differences(firsts);
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

  /** Every group against the first, by final accuracy, paired over the seeds. */
  Table significance() {
    List<List<String>> rows = new ArrayList<>();
    RunGroup first = groups.getFirst();
    for (RunGroup group : groups.subList(1, groups.size())) {
      PairedTest test = group.compare(first, metric);
      String difference =
          test.pairs() == 0
              ? Figures.UNKNOWN
              : String.format(Locale.ROOT, "%+.2f", 100 * test.difference());
      String verdict =
          test.pairs() < 2
              ? "unknown: needs two or more seeds in common"
              : (test.isSignificant() ? "significant" : "not significant")
                  + ", "
                  + Figures.probability(test.p());
      rows.add(
          List.of(
              group.label() + " against " + first.label(),
              difference,
              String.valueOf(test.pairs()),
              verdict));
    }
    return new Table(List.of("final accuracy", "difference (points)", "pairs", "at 5 %"), rows);
  }
}

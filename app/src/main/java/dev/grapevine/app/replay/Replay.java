package dev.grapevine.app.replay;

import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.SavedRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A recorded run and the same experiment run again, compared bit by bit in everything but what
 * clocks say.
 *
 * @param compared how many figures both have
 * @param different how many of these differ, or stand in one run only
 * @param first the first difference, by round, then in the order in which metrics are recorded
 * @param notes what else differs
 */
record Replay(long compared, long different, Optional<Difference> first, List<String> notes) {

  /** Metrics of the clock begin like this. */
  private static final String CLOCK = "seconds_";

  /**
   * A figure that differs.
   *
   * @param recorded NaN where the recorded run lacks it
   * @param repeated NaN where the repeated run lacks it
   */
  record Difference(int round, int node, String metric, double recorded, double repeated) {}

  Replay {
    notes = List.copyOf(notes);
  }

  boolean isIdentical() {
    return different == 0 && notes.isEmpty();
  }

  /**
   * Compares two runs.
   *
   * @param complete whether the recorded run came to its end; if not, what it lacks is passed over
   */
  static Replay compare(SavedRun recorded, SavedRun repeated, boolean complete) {
    Set<String> metrics = new LinkedHashSet<>(recorded.metrics());
    if (complete) {
      metrics.addAll(repeated.metrics());
    }
    boolean simulated = repeated.settings().getOrDefault("runtime.kind", "").equals("simulated");
    metrics.removeIf(metric -> dependsOnClock(metric, simulated));
    Tally tally = new Tally(complete);
    for (String metric : metrics) {
      tally.compare(
          metric, recorded.metric(metric).orElse(null), repeated.metric(metric).orElse(null));
    }
    List<String> notes = new ArrayList<>();
    note(notes, "data", "/data_hashes", recorded.provenance(), repeated.provenance());
    noteFiles(notes, recorded, repeated);
    if (complete) {
      note(notes, "trace hash", "/trace_hash", recorded.summary(), repeated.summary());
      note(notes, "outcome", "/outcome", recorded.summary(), repeated.summary());
    }
    return new Replay(tally.compared, tally.different, Optional.ofNullable(tally.first), notes);
  }

  /**
   * In a live run it is up to the clock whether a neighbour's next message has come in by the end
   * of a round, and so what a node has received until then; what it has sent is not.
   */
  private static boolean dependsOnClock(String metric, boolean simulated) {
    return metric.startsWith(CLOCK) || (!simulated && metric.equals(Metrics.BYTES_RECEIVED));
  }

  /** Own code and named files that are not what they were. */
  private static void noteFiles(List<String> notes, SavedRun recorded, SavedRun repeated) {
    recorded
        .fileHashes()
        .forEach((file, hash) -> {
          String now = repeated.fileHashes().get(file);
          if (now == null || !now.equals(hash)) {
            Path kept = recorded.directory().path().resolve("sources").resolve(file);
            notes.add(
                "%s has changed since the run%s"
                    .formatted(file, Files.exists(kept) ? "; as it was then: " + kept : ""));
          }
        });
  }

  private static void note(
      List<String> notes,
      String what,
      String pointer,
      Optional<JsonNode> recorded,
      Optional<JsonNode> repeated) {
    if (recorded.isPresent() && repeated.isPresent()) {
      JsonNode before = recorded.get().at(pointer);
      JsonNode now = repeated.get().at(pointer);
      if (!before.equals(now)) {
        notes.add("%s: recorded %s, now %s".formatted(what, before, now));
      }
    }
  }

  private static final class Tally {

    private final boolean complete;
    private long compared;
    private long different;
    private @Nullable Difference first;

    Tally(boolean complete) {
      this.complete = complete;
    }

    void compare(String metric, @Nullable MetricColumn recorded, @Nullable MetricColumn repeated) {
      Set<Integer> rounds = new TreeSet<>(rounds(recorded));
      if (complete) {
        rounds.addAll(rounds(repeated));
      }
      for (int round : rounds) {
        Set<Integer> nodes = new TreeSet<>(nodes(recorded, round));
        if (complete) {
          nodes.addAll(nodes(repeated, round));
        }
        for (int node : nodes) {
          compare(
              new Difference(
                  round, node, metric, value(recorded, round, node), value(repeated, round, node)));
        }
      }
    }

    private void compare(Difference pair) {
      compared++;
      // Two that are both NaN because a loss has exploded are equal as well.
      if (Double.compare(pair.recorded, pair.repeated) != 0) {
        different++;
        if (first == null || pair.round < first.round) {
          first = pair;
        }
      }
    }

    private static List<Integer> rounds(@Nullable MetricColumn column) {
      List<Integer> rounds = new ArrayList<>();
      for (int i = 0; column != null && i < column.rounds(); i++) {
        rounds.add(column.round(i));
      }
      return rounds;
    }

    private static List<Integer> nodes(@Nullable MetricColumn column, int round) {
      int index = index(column, round);
      return column == null || index < 0
          ? List.of()
          : Arrays.stream(column.nodes(index)).boxed().toList();
    }

    private static double value(@Nullable MetricColumn column, int round, int node) {
      int index = index(column, round);
      return column == null || index < 0 ? Double.NaN : orNan(column.value(index, node));
    }

    private static double orNan(OptionalDouble value) {
      return value.orElse(Double.NaN);
    }

    private static int index(@Nullable MetricColumn column, int round) {
      int index = column == null ? -1 : column.indexUpTo(round);
      return column != null && index >= 0 && column.round(index) == round ? index : -1;
    }
  }
}

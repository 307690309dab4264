package dev.grapevine.results;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A run in a few figures. Accuracies and losses are those of the last round that has them, NaN when
 * there is none.
 *
 * @param ending how the run ended and what it took
 * @param testAccuracy over the nodes
 * @param testLoss over the nodes
 * @param rSquared over the nodes, for a task of values
 * @param averageAccuracy of the average model
 * @param averageLoss of the average model
 * @param bytesSent per node
 * @param bytesReceived per node
 * @param trainSeconds of all nodes together
 * @param attendance who was there, where nodes come and go
 */
public record Summary(
    Ending ending,
    Spread testAccuracy,
    Spread testLoss,
    Spread rSquared,
    double averageAccuracy,
    double averageLoss,
    Spread bytesSent,
    Spread bytesReceived,
    double trainSeconds,
    Optional<Attendance> attendance) {

  /** The key of the last round that counts in a run that {@code [stop]} ended. */
  static final String STOPPED_AFTER = "stopped_after_round";

  /**
   * What only the runtime knows.
   *
   * @param outcome {@code done}, {@code failed}, {@code interrupted} or another word
   * @param reason what went wrong, or empty
   * @param name the experiment's name
   * @param seed the experiment's seed
   * @param rounds how many rounds were asked for
   * @param nodes how many nodes took part
   * @param wallTime how long it took
   * @param virtualTime how far the virtual clock got; only in a simulated run
   * @param traceHash proof of the order of events; only in a simulated run
   * @param peakMemoryBytes the most memory that the process held; not known of a run that shared
   *     its process with others
   * @param divergedIn the first round, from 0, in which a loss was beyond all reason
   * @param stoppedAfter the last round, from 0, that counts, where {@code [stop]} ended the run
   */
  public record Ending(
      String outcome,
      String reason,
      String name,
      long seed,
      int rounds,
      int nodes,
      Duration wallTime,
      Optional<Duration> virtualTime,
      Optional<String> traceHash,
      OptionalLong peakMemoryBytes,
      OptionalInt divergedIn,
      OptionalInt stoppedAfter) {}

  /**
   * What all nodes did, servers included, until each ended.
   *
   * @param bytesSent per node
   * @param bytesReceived per node
   * @param trainSeconds of all nodes together
   */
  public record Totals(Spread bytesSent, Spread bytesReceived, double trainSeconds) {}

  /** Sums up what a run recorded. */
  public static Summary of(Ending ending, Totals totals, SavedRun results) {
    return new Summary(
        ending,
        last(results, Metrics.TEST_ACCURACY),
        last(results, Metrics.TEST_LOSS),
        last(results, Metrics.TEST_R2),
        last(results, Metrics.AVERAGE_ACCURACY).mean(),
        last(results, Metrics.AVERAGE_LOSS).mean(),
        totals.bytesSent(),
        totals.bytesReceived(),
        totals.trainSeconds(),
        Attendance.of(results));
  }

  private static Spread last(SavedRun results, String metric) {
    return results
        .metric(metric)
        .map(column -> Spread.of(column.values(column.rounds() - 1)))
        .orElse(Spread.EMPTY);
  }

  String toJson() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("outcome", ending.outcome());
    json.put("reason", ending.reason());
    json.put("name", ending.name());
    json.put("seed", ending.seed());
    json.put("rounds", ending.rounds());
    json.put("nodes", ending.nodes());
    json.put("test_accuracy_mean", Json.number(testAccuracy.mean()));
    json.put("test_accuracy_std", Json.number(testAccuracy.deviation()));
    json.put("test_loss_mean", Json.number(testLoss.mean()));
    json.put("test_r2_mean", Json.number(rSquared.mean()));
    json.put("average_accuracy", Json.number(averageAccuracy));
    json.put("average_loss", Json.number(averageLoss));
    json.put("bytes_sent_per_node_mean", Json.number(bytesSent.mean()));
    json.put("bytes_received_per_node_mean", Json.number(bytesReceived.mean()));
    json.put("wall_seconds", seconds(ending.wallTime()));
    json.put("virtual_seconds", ending.virtualTime().map(Summary::seconds).orElse(null));
    json.put("train_seconds_total", trainSeconds);
    json.put(
        "peak_memory_bytes",
        ending.peakMemoryBytes().isPresent() ? ending.peakMemoryBytes().getAsLong() : null);
    json.put("diverged_in_round", orNull(ending.divergedIn()));
    json.put(STOPPED_AFTER, orNull(ending.stoppedAfter()));
    json.put("trace_hash", ending.traceHash().orElse(null));
    attendance.ifPresent(there -> json.put("churn", there.toJson()));
    return Json.text(json);
  }

  private static @Nullable Integer orNull(OptionalInt round) {
    return round.isPresent() ? round.getAsInt() : null;
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}

package dev.grapevine.results;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run in a few figures. Accuracies and losses are those of the last round that has them, NaN when
 * there is none.
 *
 * @param ending how the run ended and what it took
 * @param testAccuracy over the nodes
 * @param testLoss over the nodes
 * @param averageAccuracy of the average model
 * @param averageLoss of the average model
 * @param bytesSent per node
 * @param bytesReceived per node
 * @param trainSeconds of all nodes together
 */
public record Summary(
    Ending ending,
    Sample testAccuracy,
    Sample testLoss,
    double averageAccuracy,
    double averageLoss,
    Sample bytesSent,
    Sample bytesReceived,
    double trainSeconds) {

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
   * @param peakMemoryBytes the most memory that the process held
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
      long peakMemoryBytes) {}

  /**
   * What all nodes did, servers included, until each ended.
   *
   * @param bytesSent per node
   * @param bytesReceived per node
   * @param trainSeconds of all nodes together
   */
  public record Totals(Sample bytesSent, Sample bytesReceived, double trainSeconds) {}

  /** Sums up what a run recorded. */
  public static Summary of(Ending ending, Totals totals, RunResults results) {
    return new Summary(
        ending,
        last(results, Metrics.TEST_ACCURACY),
        last(results, Metrics.TEST_LOSS),
        last(results, Metrics.AVERAGE_ACCURACY).mean(),
        last(results, Metrics.AVERAGE_LOSS).mean(),
        totals.bytesSent(),
        totals.bytesReceived(),
        totals.trainSeconds());
  }

  private static Sample last(RunResults results, String metric) {
    return results
        .metric(metric)
        .map(column -> Sample.of(column.values(column.rounds() - 1)))
        .orElse(Sample.EMPTY);
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
    json.put("average_accuracy", Json.number(averageAccuracy));
    json.put("average_loss", Json.number(averageLoss));
    json.put("bytes_sent_per_node_mean", Json.number(bytesSent.mean()));
    json.put("bytes_received_per_node_mean", Json.number(bytesReceived.mean()));
    json.put("wall_seconds", seconds(ending.wallTime()));
    json.put("virtual_seconds", ending.virtualTime().map(Summary::seconds).orElse(null));
    json.put("train_seconds_total", trainSeconds);
    json.put("peak_memory_bytes", ending.peakMemoryBytes());
    json.put("trace_hash", ending.traceHash().orElse(null));
    return Json.text(json);
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}

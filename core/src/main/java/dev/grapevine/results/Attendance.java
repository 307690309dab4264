package dev.grapevine.results;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who was there in a run whose nodes come and go, and what was lost by it.
 *
 * @param fewest the fewest nodes that were up at the end of a round
 * @param last how many were up at the end of the last
 * @param restarts how often nodes have come back
 * @param roundsLost rounds that nodes were not there for, of all nodes together
 * @param messagesLost messages that were lost, of all nodes together
 */
public record Attendance(
    long fewest, long last, long restarts, long roundsLost, long messagesLost) {

  /** Of a run in which nodes may come and go; empty for others. */
  static Optional<Attendance> of(SavedRun results) {
    return results
        .metric(Metrics.NODES_ALIVE)
        .map(alive -> {
          double fewest = Double.POSITIVE_INFINITY;
          double last = 0;
          for (int at = 0; at < alive.rounds(); at++) {
            last = alive.spread(at).mean();
            fewest = Math.min(fewest, last);
          }
          return new Attendance(
              (long) fewest,
              (long) last,
              total(results, Metrics.RESTARTS),
              total(results, Metrics.ROUNDS_LOST),
              total(results, Metrics.MESSAGES_LOST));
        });
  }

  /** The last figure of each node, added up. */
  private static long total(SavedRun results, String metric) {
    Map<Integer, Double> latest = new HashMap<>();
    results
        .metric(metric)
        .ifPresent(column -> {
          for (int at = 0; at < column.rounds(); at++) {
            int[] nodes = column.nodes(at);
            double[] values = column.values(at);
            for (int i = 0; i < nodes.length; i++) {
              latest.put(nodes[i], values[i]);
            }
          }
        });
    return Math.round(latest.values().stream().mapToDouble(Double::doubleValue).sum());
  }

  Map<String, @Nullable Object> toJson() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("nodes_alive_fewest", fewest);
    json.put("nodes_alive_last", last);
    json.put("restarts", restarts);
    json.put("rounds_lost", roundsLost);
    json.put("messages_lost", messagesLost);
    json.put("figures_are_of", "the nodes that were up in each round");
    return json;
  }
}

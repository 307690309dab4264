package dev.grapevine.launch;

import dev.grapevine.runtime.report.NodeReport;
import java.util.Arrays;

/** Adds up what single nodes report to how far the whole run has got. */
final class Tally {

  private final int rounds;
  private final long roundsOfAll;
  private final double[] accuracies;
  private final long[] bytes;
  private final boolean[] hasReported;
  private double accuracySum;
  private int accuracyCount;
  private long bytesSum;
  private long finished;
  private int latestRound;

  Tally(int nodes, int learners, int rounds) {
    this.rounds = rounds;
    this.roundsOfAll = (long) learners * rounds;
    this.accuracies = new double[nodes];
    Arrays.fill(accuracies, Double.NaN);
    this.bytes = new long[nodes];
    this.hasReported = new boolean[nodes];
  }

  /** A run goes on: all learners have finished so many rounds. */
  synchronized void beginAt(int round) {
    finished = roundsOfAll / Math.max(1, rounds) * round;
    latestRound = round;
  }

  synchronized void accuracy(int node, double accuracy) {
    if (Double.isNaN(accuracies[node])) {
      accuracyCount++;
    } else {
      accuracySum -= accuracies[node];
    }
    accuracies[node] = accuracy;
    accuracySum += accuracy;
  }

  /** A node is down: its accuracy counts no longer. */
  synchronized void isDown(int node) {
    if (!Double.isNaN(accuracies[node])) {
      accuracySum -= accuracies[node];
      accuracyCount--;
      accuracies[node] = Double.NaN;
    }
  }

  /** Rounds that nobody will finish. */
  synchronized void missed(int rounds) {
    finished += rounds;
  }

  /** Counts what a node has sent so far. */
  synchronized void reported(NodeReport report) {
    bytesSum += report.traffic().bytesSent() - bytes[report.node()];
    bytes[report.node()] = report.traffic().bytesSent();
  }

  synchronized RunProgress finished(NodeReport report, boolean diverged) {
    int node = report.node();
    finished++;
    latestRound = Math.max(latestRound, report.round() + 1);
    reported(report);
    hasReported[node] = true;
    // With a server, only the server finishes rounds.
    boolean serverOnly = finished == latestRound && !hasReported[0];
    double done = serverOnly ? (double) latestRound / rounds : (double) finished / roundsOfAll;
    return new RunProgress(
        Math.min(1, done),
        latestRound,
        rounds,
        accuracyCount == 0 ? Double.NaN : accuracySum / accuracyCount,
        bytesSum,
        report.time(),
        diverged);
  }
}

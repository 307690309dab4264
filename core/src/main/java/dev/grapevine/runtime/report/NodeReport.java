package dev.grapevine.runtime.report;

import java.time.Duration;

/**
 * Where a node stands at the end of a round; sums are since the beginning of the run.
 *
 * @param node the node
 * @param round the round it has finished
 * @param time when, on the runtime's clock
 * @param trainLoss mean loss of its last training, NaN if it has not trained
 * @param traffic what it has sent and received
 * @param phases how its time was spent
 */
public record NodeReport(
    int node, int round, Duration time, double trainLoss, Traffic traffic, PhaseTimes phases) {

  /** All but the node, to be saved. */
  public long[] toLongs() {
    return new long[] {
      round,
      time.toNanos(),
      Double.doubleToRawLongBits(trainLoss),
      traffic.messagesSent(),
      traffic.payloadSent(),
      traffic.metadataSent(),
      traffic.messagesReceived(),
      traffic.payloadReceived(),
      traffic.metadataReceived(),
      phases.training().toNanos(),
      phases.sharing().toNanos(),
      phases.waiting().toNanos(),
      phases.evaluating().toNanos(),
      phases.processor().toNanos()
    };
  }

  /** What {@link #toLongs} saved. */
  public static NodeReport ofLongs(int node, long[] saved) {
    return new NodeReport(
        node,
        (int) saved[0],
        Duration.ofNanos(saved[1]),
        Double.longBitsToDouble(saved[2]),
        new Traffic(saved[3], saved[4], saved[5], saved[6], saved[7], saved[8]),
        new PhaseTimes(
            Duration.ofNanos(saved[9]),
            Duration.ofNanos(saved[10]),
            Duration.ofNanos(saved[11]),
            Duration.ofNanos(saved[12]),
            Duration.ofNanos(saved[13])));
  }
}

package dev.grapevine.runtime.report;

import java.time.Duration;

/**
 * How a node's time was spent. Work is measured in real time on the compute threads in both
 * runtimes; waiting is on the runtime's clock.
 *
 * @param training local training
 * @param sharing encoding and merging
 * @param waiting waiting for messages
 * @param evaluating evaluation
 * @param processor what training and evaluating had of a processor, which is less than they took
 *     where the machine has other work
 */
public record PhaseTimes(
    Duration training,
    Duration sharing,
    Duration waiting,
    Duration evaluating,
    Duration processor) {

  /** Of a node that has done nothing. */
  public static final PhaseTimes NONE =
      new PhaseTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
}

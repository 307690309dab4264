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
 */
public record PhaseTimes(
    Duration training, Duration sharing, Duration waiting, Duration evaluating) {}

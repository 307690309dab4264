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
    int node, int round, Duration time, double trainLoss, Traffic traffic, PhaseTimes phases) {}

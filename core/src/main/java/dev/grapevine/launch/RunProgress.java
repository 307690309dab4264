package dev.grapevine.launch;

import java.time.Duration;

/**
 * How far a run has got.
 *
 * @param done share of all rounds of all nodes, from 0 to 1
 * @param round the latest round that any node has finished, counted from 1
 * @param rounds how many there are
 * @param accuracy mean test accuracy of the latest evaluations, one for each node; NaN before that
 * @param bytesSent by all nodes so far
 * @param time on the run's clock
 * @param diverged whether a loss has been beyond all reason
 */
public record RunProgress(
    double done,
    int round,
    int rounds,
    double accuracy,
    long bytesSent,
    Duration time,
    boolean diverged) {}

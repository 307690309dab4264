package dev.grapevine.runtime;

import dev.grapevine.runtime.report.NodeOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a run ended.
 *
 * @param ending how
 * @param reason what went wrong, in words for the user; empty when all is well
 * @param nodes how each node ended, by number
 * @param traceHash proof of the order of events; only in a simulated run
 * @param virtualTime how far the virtual clock got; only in a simulated run
 * @param wallTime how long it took
 */
public record Outcome(
    Ending ending,
    String reason,
    List<NodeOutcome> nodes,
    Optional<String> traceHash,
    Optional<Duration> virtualTime,
    Duration wallTime) {

  /** How a run can end. */
  public enum Ending {
    /** Every node finished, or was dropped as the policy says. */
    DONE,
    /** What the run was to stop for has come about. */
    STOPPED,
    /** A node failed. */
    FAILED,
    /** Nodes wait for each other, or for one that is gone, or nobody is left to go on. */
    STALLED,
    /** The thread that ran it was interrupted. */
    INTERRUPTED
  }

  /** The same of a run that went before it was resumed. */
  public Outcome longerBy(Duration before) {
    return new Outcome(ending, reason, nodes, traceHash, virtualTime, wallTime.plus(before));
  }

  public Outcome {
    nodes = List.copyOf(nodes);
  }
}

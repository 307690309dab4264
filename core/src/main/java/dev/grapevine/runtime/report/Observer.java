package dev.grapevine.runtime.report;

import dev.grapevine.learning.Learner;
import dev.grapevine.runtime.fault.InjectedFault;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches a run: results, progress and evaluation hook in here. Methods are called from several
 * threads at a time in a live run, and in a fixed order in a simulated one, except for {@link
 * #evaluate} and {@link #evaluateAverage}, which run on compute threads in both.
 */
public interface Observer {

  /** The number that stands for the average of all nodes in {@link #record}. */
  int AVERAGE = -1;

  /** An observer that looks away. */
  Observer NONE = new Observer() {};

  /** Whether {@link #evaluate} is to be called; asked once by each node in each round. */
  default boolean evaluationDue(int node, int round) {
    return false;
  }

  /** Evaluates a node's model, on a compute thread; the runtime records what it returns. */
  default List<Metric> evaluate(int node, int round, Learner learner) {
    return List.of();
  }

  /**
   * Whether the node's model belongs to the average of this round. The average is complete when all
   * nodes for which this holds have passed the round or have ended.
   */
  default boolean averageDue(int node, int round) {
    return false;
  }

  /**
   * Evaluates the average model, on a compute thread, one at a time; no node waits for it. The
   * runtime records what it returns under the number {@link #AVERAGE}.
   */
  default List<Metric> evaluateAverage(AverageModel average) {
    return List.of();
  }

  /** A figure of a node, from its protocol or its evaluation. */
  default void record(int node, int round, String metric, double value, Duration time) {}

  /** A node has reached the end of a round. */
  default void roundFinished(NodeReport report) {}

  /**
   * A learner is about to send to a server; of clients without rounds of their own, nothing else is
   * heard before they end.
   */
  default void reported(NodeReport report) {}

  /** Whether nodes are to count what they send to each peer; asked once by each. */
  default boolean countsLinks() {
    return false;
  }

  /** Whether nodes that count are to tell what they have counted at the end of this round. */
  default boolean linksDue(int round) {
    return false;
  }

  /** What a node has sent to a peer so far, framing included; told before the node ends, too. */
  default void sent(int node, int peer, long bytes) {}

  /**
   * Why the run is to stop, or null while it is not. Asked often, so it must be quick; in a
   * simulated run it may only depend on what was told in the fixed order.
   */
  default @Nullable String stopReason() {
    return null;
  }

  /** A fault on purpose ends a node's life. */
  default void faultStruck(InjectedFault fault) {}

  /** A node has gone down; it may come back. */
  default void nodeWentDown(int node) {}

  /**
   * A node is back and takes part from {@code round} on.
   *
   * @param missed rounds that it was not there for
   */
  default void nodeIsBack(int node, int round, int missed) {}

  /** A node has thrown something; told before it ends, with all that a message leaves out. */
  default void thrown(int node, int round, Throwable failure) {}

  /** A node has ended, well or not. */
  default void nodeEnded(NodeOutcome outcome) {}
}

package dev.grapevine.runtime;

import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.state.State;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Decides when the nodes of a run are saved, and takes what they remember. A <i>cut</i> is what all
 * nodes remember at the end of the same round. Safe for concurrent use.
 */
public interface Cuts {

  /** Nothing is ever saved. */
  Cuts NONE = round -> false;

  /**
   * Where a run stands.
   *
   * @param time on its clock, in ns
   * @param trace the state of the trace hash; only in a simulated run
   */
  record Moment(long time, OptionalLong trace) {

    /** Where every run begins. */
    public static final Moment START = new Moment(0, OptionalLong.empty());
  }

  /** The run that is saved. */
  interface Source {

    Moment moment();

    /**
     * Runs {@code then} once nothing is under way any more that records figures of {@code round} or
     * before: at once, or on the thread that records the last of them. Never, if the run ends
     * first.
     */
    void whenRecorded(int round, Runnable then);
  }

  /** The run is about to begin; told once. */
  default void begin(Source run) {}

  /**
   * Whether all nodes are saved at the end of {@code round}. Asked by every node that has rounds,
   * at the end of each; all get the same answer, for which they may have to wait.
   */
  boolean due(int round);

  /**
   * Takes what a node remembers at the end of {@code round}; may wait for room.
   *
   * @param state vectors in it are the node's own: what is to be kept of them is copied before this
   *     returns
   */
  default void save(int round, int node, Map<String, State.Saved> state)
      throws InterruptedException {}

  /**
   * A node has ended: later cuts are complete without it.
   *
   * @param told whether the other nodes are told
   */
  default void ended(NodeOutcome outcome, boolean told) {}
}

package dev.grapevine.runtime;

import dev.grapevine.runtime.report.NodeOutcome;
import java.util.List;

/**
 * The cut that a run goes on from. What the nodes remember is in their own {@linkplain
 * dev.grapevine.state.State state}.
 *
 * @param firstRound the round to begin with
 * @param moment where the clock stood
 * @param ended the nodes that had ended before; they do not run again
 * @param times how often the run was resumed, this time included; tells its messages from those of
 *     before
 */
public record Resumption(int firstRound, Cuts.Moment moment, List<EndedNode> ended, int times) {

  /** A run that begins. */
  public static final Resumption NONE = new Resumption(0, Cuts.Moment.START, List.of(), 0);

  /**
   * A node that has ended.
   *
   * @param told whether the others have been told
   */
  public record EndedNode(NodeOutcome outcome, boolean told) {}

  public Resumption {
    ended = List.copyOf(ended);
  }
}

package dev.grapevine.runtime.fault;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.SettingException;
import java.time.Duration;

/**
 * What happens when a neighbour is late, gone or talks nonsense.
 *
 * @param missing what a node does without a neighbour's message
 * @param deadline how long it waits for the messages of a round before that; unused by {@link
 *     Missing#WAIT}
 * @param failedNode what the run does when a node fails
 * @param restarts how often it goes back to a checkpoint
 */
public record FaultPolicy(
    @Doc("what to do about a missing neighbour: wait, go-on without it, or fail") @Default("wait")
        Missing missing,
    @Doc("how long to wait for the messages of a round, unless missing = wait") @Default("30 s")
        Duration deadline,
    @Doc(
            "when a node fails: end the run, drop the node, or restart from the newest checkpoint:"
                + " all nodes, or with missing = go-on it alone")
        @Default("end")
        FailedNode failedNode,
    @Doc("how often failed-node = restart goes back to a checkpoint before the run ends")
        @Default("3")
        int restarts) {

  /** What a node does without the message of a neighbour. */
  public enum Missing {
    /** Waits as long as it takes; a run that cannot go on is reported as stalled. */
    WAIT,
    /** Goes on after the deadline; the missing weight goes to the node itself. */
    GO_ON,
    /** Fails after the deadline. */
    FAIL
  }

  /** What the run does when a node fails. */
  public enum FailedNode {
    /** Ends, with the node's name and reason. */
    END,
    /** Goes on without it; its peers are told. */
    DROP,
    /** Goes back to the newest checkpoint, with all nodes, and goes on from there. */
    RESTART
  }

  /** Waits for ever, ends with the first failure. */
  public static final FaultPolicy WAIT =
      new FaultPolicy(Missing.WAIT, Duration.ofSeconds(30), FailedNode.END);

  public FaultPolicy {
    SettingException.require(
        deadline.isPositive(), "deadline", "deadline must be positive: deadline=" + deadline);
    SettingException.require(
        restarts >= 0, "restarts", "restarts must not be negative: restarts=" + restarts);
  }

  /** A policy that restarts nothing. */
  public FaultPolicy(Missing missing, Duration deadline, FailedNode failedNode) {
    this(missing, deadline, failedNode, 0);
  }

  /** Goes on without those who have not answered after {@code deadline}; drops failed nodes. */
  public static FaultPolicy goOn(Duration deadline) {
    return new FaultPolicy(Missing.GO_ON, deadline, FailedNode.DROP);
  }
}

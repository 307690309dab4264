package dev.grapevine.runtime.report;

/**
 * How a node ended.
 *
 * @param node the node
 * @param status how it ended
 * @param reason why, when it did not finish; otherwise empty
 * @param roundsFinished how many rounds it finished
 * @param unread messages that arrived and were never asked for
 * @param traffic what it sent and received
 * @param phases how its time was spent
 */
public record NodeOutcome(
    int node,
    Status status,
    String reason,
    int roundsFinished,
    int unread,
    Traffic traffic,
    PhaseTimes phases) {

  /** How a node can end. */
  public enum Status {
    /** Its protocol came to its end. */
    FINISHED,
    /** It failed, by its own fault or another's. */
    FAILED,
    /** It was stopped because the run ended early. */
    STOPPED,
    /** It left and never came back. */
    LEFT
  }
}

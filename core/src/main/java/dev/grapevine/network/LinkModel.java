package dev.grapevine.network;

import dev.grapevine.settings.Family;

/**
 * How long messages take in the simulated runtime. Pure functions: the same question has the same
 * answer, so that a run can be replayed. Times are in nanoseconds of virtual time.
 */
public interface LinkModel {

  Family<LinkContext, LinkModel> FAMILY =
      new Family<>(
          "link-model",
          LinkModel.class,
          LinkContext.class,
          "how long a message takes from node to node in the simulated runtime");

  /** What {@link #latency} answers for a message that never arrives. */
  long LOST = -1;

  /**
   * How long the first byte is on its way, or {@link #LOST}.
   *
   * @param now when it is sent
   * @param ordinal how many messages the sender has sent before; what jitter and loss depend on
   */
  long latency(int sender, int receiver, long now, long ordinal);

  /** Bytes per nanosecond that {@code node} can send; infinite when bandwidth does not matter. */
  double uplink(int node, long now);

  /** Bytes per nanosecond that {@code node} can receive. */
  double downlink(int node, long now);

  /** Whether uplinks and downlinks are limited at all. */
  boolean limitsBandwidth();

  /** When {@link #uplink} or {@link #downlink} of some node next change; MAX_VALUE for never. */
  default long nextChange(long now) {
    return Long.MAX_VALUE;
  }
}

package dev.grapevine.exchange;

import dev.grapevine.topology.Topology;

/**
 * What those who send to the same node in a round know of each other. Masks cancel only in a sum
 * whose senders all know who else is in it.
 */
public sealed interface Senders {

  /**
   * Nothing.
   *
   * @param reason a half-sentence about the protocol
   */
  record Unknown(String reason) implements Senders {}

  /** All, since a graph says it that everybody has. */
  record Planned(Topology graph) implements Senders {}

  /**
   * All, since the receiver tells them.
   *
   * @param most how many there can be for one receiver
   */
  record Told(int most) implements Senders {}
}

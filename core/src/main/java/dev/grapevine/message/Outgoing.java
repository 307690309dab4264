package dev.grapevine.message;

/** What a node sends in a round: one payload for all its peers, or one for each. */
@FunctionalInterface
public interface Outgoing {

  /** The payload meant for {@code peer}. */
  Payload to(int peer);
}

package dev.grapevine.sharing;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.settings.Family;
import dev.grapevine.topology.Neighbourhood;
import java.util.Optional;

/**
 * What a node tells others of its parameters and what it does with what it hears. One instance
 * belongs to one node; it may keep state between rounds. A protocol in step calls {@link #message}
 * once a round after training, then {@link #merge} once with what arrived. An asynchronous one
 * merges first what has come meanwhile, once or more often, and then calls {@link #message}, if at
 * all. Rounds only rise; never are both called at a time.
 */
public interface Sharing {

  Family<SharingContext, Sharing> FAMILY =
      new Family<>(
          "sharing",
          Sharing.class,
          SharingContext.class,
          "what a message holds and how received ones are merged");

  /** Encodes what this node says in {@code round} to the peers it sends to. */
  Outgoing message(int round, Neighbourhood neighbours);

  /**
   * Mixes what arrived into the node's parameters.
   *
   * @throws MalformedPayloadException when a payload is not what this scheme writes; the parameters
   *     are then as they were
   */
  void merge(Received received);

  /** What the messages build on. */
  default Continuity continuity() {
    return Continuity.NONE;
  }

  /** Whether all nodes must start from the same parameters. */
  default boolean needsSameStart() {
    return false;
  }

  /**
   * How often each coordinate has been sent, for schemes that keep count; empty for all others and
   * where counting is switched off, as it is by default.
   */
  default Optional<ShareCounts> shareCounts() {
    return Optional.empty();
  }
}

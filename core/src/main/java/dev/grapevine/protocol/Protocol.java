package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Senders;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Family;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/** What one node does from the first round to the last: straight-line blocking code. */
public interface Protocol {

  Family<ProtocolContext, Protocol> FAMILY =
      new Family<>(
          "protocol", Protocol.class, ProtocolContext.class, "what a node does, round after round");

  /** Runs the node to its end; called once, on the node's own virtual thread. */
  void run(Node self) throws InterruptedException;

  /**
   * How many nodes take part beyond those that hold data. They run the same protocol, have a model
   * but no samples, and are numbered after the learners.
   */
  default int servers() {
    return 0;
  }

  /**
   * Whether a node's state at the end of a round is all that it needs for the next one: its
   * messages are those of its exchanges, and what was sent in a round is used up in it. Then every
   * node can be saved as it passes. Otherwise all nodes stop at the end of the round until no
   * message is on its way.
   */
  default boolean isInStep() {
    return false;
  }

  /**
   * Whether the experiment's sharing scheme has any say; one with an encoding of its own says no.
   */
  default boolean usesSharing() {
    return true;
  }

  /**
   * What those who send to a node know of each other; {@link InStep} says it for most protocols in
   * step. Whoever says that they know each other tells others of its vectors by {@link
   * dev.grapevine.exchange.Exchange#mix} alone.
   */
  default Senders senders(Topology topology) {
    return new Senders.Unknown(
        "those who send to a node at the same time do not know of each other; take d-psgd,"
            + " el-oracle or another protocol in step");
  }

  /**
   * Why this protocol cannot work with an encoding or a rule of aggregation, as a half-sentence
   * about the protocol; empty when it can. Ask them for what they can do, never for their names.
   *
   * @param encoding the node's encoding of its model
   * @param rule how it combines what it hears
   * @param topology the experiment's topology
   */
  default Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return topology.period() == 1 ? Optional.empty() : Objections.changingNeighbours(encoding);
  }

  /** Why this protocol cannot work on a topology, as a half-sentence about the protocol. */
  default Optional<String> objection(Topology topology) {
    return Optional.empty();
  }
}

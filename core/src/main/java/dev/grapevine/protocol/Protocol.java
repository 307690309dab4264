package dev.grapevine.protocol;

import dev.grapevine.node.Node;
import dev.grapevine.settings.Family;
import dev.grapevine.sharing.Continuity;
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
   * Why this protocol cannot work with a sharing scheme, as a half-sentence about the protocol;
   * empty when it can.
   *
   * @param sharing the scheme's name
   * @param continuity what the scheme's messages build on
   * @param topology the experiment's topology
   */
  default Optional<String> objection(String sharing, Continuity continuity, Topology topology) {
    return topology.period() == 1 ? Optional.empty() : Objections.changingNeighbours(continuity);
  }
}

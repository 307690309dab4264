package dev.grapevine.runtime;

import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.topology.Topology;
import java.util.List;

/**
 * Everything that a runtime needs to know of an experiment. Nodes are changed by the run, so that a
 * plan is good for one run only.
 *
 * @param nodes the nodes, by number: those of the topology, then servers
 * @param topology who talks to whom among the nodes that hold data
 * @param rounds how many rounds a protocol runs
 * @param seed where all randomness comes from
 * @param policy what happens when a neighbour is late, gone or talks nonsense
 * @param faults what goes wrong on purpose
 */
public record Plan(
    List<NodeSetup> nodes,
    Topology topology,
    int rounds,
    long seed,
    FaultPolicy policy,
    List<InjectedFault> faults) {

  public Plan {
    nodes = List.copyOf(nodes);
    faults = List.copyOf(faults);
    if (nodes.size() < topology.nodes()) {
      throw new IllegalArgumentException(
          "nodes do not fit the topology: nodes=%d, topology=%d"
              .formatted(nodes.size(), topology.nodes()));
    }
    for (InjectedFault fault : faults) {
      if (fault.node() < 0 || fault.node() >= nodes.size()) {
        throw new IllegalArgumentException(
            "no such node to go wrong: node=%d, nodes=%d".formatted(fault.node(), nodes.size()));
      }
    }
  }

  /** A plan in which every node waits for its neighbours and nothing goes wrong on purpose. */
  public Plan(List<NodeSetup> nodes, Topology topology, int rounds, long seed) {
    this(nodes, topology, rounds, seed, FaultPolicy.WAIT, List.of());
  }
}

package dev.grapevine.runtime;

import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.Faults;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.topology.Topology;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that a runtime needs to know of an experiment. Nodes are changed by the run, so that a
 * plan is good for one run only.
 *
 * @param here the nodes of this process by number; all of them, unless a run has several processes
 * @param nodes how many there are everywhere: those of the topology, then servers
 * @param topology who talks to whom among the nodes that hold data
 * @param rounds how many rounds a protocol runs
 * @param seed where all randomness comes from
 * @param policy what happens when a neighbour is late, gone or talks nonsense
 * @param faults what goes wrong on purpose
 * @param saving how the run is saved and what it goes on from
 */
public record Plan(
    SortedMap<Integer, NodeSetup> here,
    int nodes,
    Topology topology,
    int rounds,
    long seed,
    FaultPolicy policy,
    Faults faults,
    Saving saving) {

  public Plan {
    here = Collections.unmodifiableSortedMap(new TreeMap<>(here));
    if (nodes < topology.nodes()) {
      throw new IllegalArgumentException(
          "nodes do not fit the topology: nodes=%d, topology=%d"
              .formatted(nodes, topology.nodes()));
    }
    if (!here.isEmpty() && (here.firstKey() < 0 || here.lastKey() >= nodes)) {
      throw new IllegalArgumentException(
          "nodes are numbered from 0 to %d: here=%s".formatted(nodes - 1, here.keySet()));
    }
    for (InjectedFault fault : faults.injected()) {
      if (fault.node() < 0 || fault.node() >= nodes) {
        throw new IllegalArgumentException(
            "no such node to go wrong: node=%d, nodes=%d".formatted(fault.node(), nodes));
      }
    }
  }

  /** A plan for one process that has all nodes. */
  public Plan(
      List<NodeSetup> nodes,
      Topology topology,
      int rounds,
      long seed,
      FaultPolicy policy,
      Faults faults) {
    this(nodes, topology, rounds, seed, policy, faults, Saving.NONE);
  }

  /** The same of a run that is saved, or goes on. */
  public Plan(
      List<NodeSetup> nodes,
      Topology topology,
      int rounds,
      long seed,
      FaultPolicy policy,
      Faults faults,
      Saving saving) {
    this(byNumber(nodes), nodes.size(), topology, rounds, seed, policy, faults, saving);
  }

  /** The same where only nodes go wrong on purpose. */
  public Plan(
      List<NodeSetup> nodes,
      Topology topology,
      int rounds,
      long seed,
      FaultPolicy policy,
      List<InjectedFault> faults) {
    this(nodes, topology, rounds, seed, policy, Faults.of(faults));
  }

  /** A plan in which every node waits for its neighbours and nothing goes wrong on purpose. */
  public Plan(List<NodeSetup> nodes, Topology topology, int rounds, long seed) {
    this(nodes, topology, rounds, seed, FaultPolicy.WAIT, Faults.NONE);
  }

  private static SortedMap<Integer, NodeSetup> byNumber(List<NodeSetup> nodes) {
    SortedMap<Integer, NodeSetup> byNumber = new TreeMap<>();
    for (NodeSetup node : nodes) {
      byNumber.put(byNumber.size(), node);
    }
    return byNumber;
  }

  /** What makes a node of this process. */
  NodeSetup setup(int node) {
    NodeSetup setup = here.get(node);
    if (setup == null) {
      throw new IllegalArgumentException("node %d is not in this process".formatted(node));
    }
    return setup;
  }

  /**
   * Whether the end of a round is a cut by itself on every node, so that none has to stop for being
   * saved.
   */
  public boolean isInStep() {
    return here.values().stream().allMatch(node -> node.protocol().isInStep());
  }
}

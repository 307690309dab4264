package dev.grapevine.topology;

import dev.grapevine.settings.Family;

/**
 * Who talks to whom, as a pure function of (node, round): asking twice gives the same answer, and
 * every process of a run computes the same one from the seed. Safe to ask from many threads.
 */
public interface Topology {

  /** The topologies, chosen by {@code kind} of the table {@code [topology]}. */
  Family<TopologyContext, Topology> FAMILY =
      new Family<>(
          "topology", Topology.class, TopologyContext.class, "Who talks to whom, round by round.");

  int nodes();

  Neighbourhood neighbours(int node, int round);

  /**
   * After how many rounds the graph repeats: 1 when it is always the same, 0 when it never repeats.
   */
  default int period() {
    return 1;
  }
}

package dev.grapevine.topology;

import java.util.List;

/** Goes through a list of graphs, one a round, and starts again. */
final class CyclicTopology implements Topology {

  private final List<StaticTopology> cycle;

  CyclicTopology(List<StaticTopology> cycle) {
    this.cycle = List.copyOf(cycle);
  }

  @Override
  public int nodes() {
    return cycle.getFirst().nodes();
  }

  @Override
  public int period() {
    return cycle.size();
  }

  @Override
  public Neighbourhood neighbours(int node, int round) {
    return cycle.get(Math.floorMod(round, cycle.size())).neighbours(node, round);
  }
}

package dev.grapevine.runtime;

import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.Arrays;
import java.util.TreeSet;

/** Node i talks to i ± 1 ... i ± k around a ring, all with the same weight. */
public record CirculantTopology(int nodes, int reach) implements Topology {

  public static CirculantTopology ring(int nodes) {
    return new CirculantTopology(nodes, 1);
  }

  public static CirculantTopology full(int nodes) {
    return new CirculantTopology(nodes, nodes / 2);
  }

  @Override
  public Neighbourhood neighbours(int node, int round) {
    TreeSet<Integer> set = new TreeSet<>();
    for (int step = 1; step <= reach; step++) {
      set.add((node + step) % nodes);
      set.add(Math.floorMod(node - step, nodes));
    }
    set.remove(node);
    int[] peers = set.stream().mapToInt(Integer::intValue).toArray();
    double weight = 1.0 / (peers.length + 1);
    double[] weights = new double[peers.length];
    Arrays.fill(weights, weight);
    return new Neighbourhood(node, peers, peers, weights, weight);
  }
}

package dev.grapevine.benchmarks;

import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** A union of random rings and a random matching: close to five neighbours each. */
final class RandomGraph implements Topology {

  private static final int DEGREE = 5;

  private final Neighbourhood[] neighbourhoods;

  RandomGraph(int nodes) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    List<List<Integer>> peers = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      peers.add(new ArrayList<>());
    }
    Integer[] order = new Integer[nodes];
    for (int ring = 0; ring < (DEGREE + 1) / 2; ring++) {
      Arrays.setAll(order, node -> node);
      for (int i = nodes - 1; i > 0; i--) {
        int other = random.nextInt(i + 1);
        Integer swap = order[i];
        order[i] = order[other];
        order[other] = swap;
      }
      int step = 2 * ring + 2 > DEGREE ? 2 : 1;
      for (int i = 0; i < nodes; i += step) {
        connect(peers, order[i], order[(i + 1) % nodes]);
      }
    }
    neighbourhoods = new Neighbourhood[nodes];
    for (int node = 0; node < nodes; node++) {
      int[] to = peers.get(node).stream().mapToInt(Integer::intValue).sorted().toArray();
      double[] weights = new double[to.length];
      Arrays.fill(weights, 1.0 / (to.length + 1));
      neighbourhoods[node] = new Neighbourhood(node, to, to, weights, 1.0 / (to.length + 1));
    }
  }

  private static void connect(List<List<Integer>> peers, Integer a, Integer b) {
    if (!a.equals(b) && !peers.get(a).contains(b)) {
      peers.get(a).add(b);
      peers.get(b).add(a);
    }
  }

  @Override
  public int nodes() {
    return neighbourhoods.length;
  }

  @Override
  public Neighbourhood neighbours(int node, int round) {
    return neighbourhoods[node];
  }
}

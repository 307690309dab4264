package dev.grapevine.topology;

import java.util.Arrays;

/** The same graph in every round. Neighbourhoods are made once, so looking one up costs nothing. */
final class StaticTopology implements Topology {

  private final Neighbourhood[] neighbourhoods;

  StaticTopology(Graph graph, WeightRule rule) {
    rule.check(graph);
    neighbourhoods = new Neighbourhood[graph.nodes()];
    double[] previous = new double[0];
    for (int node = 0; node < neighbourhoods.length; node++) {
      int[] sources = graph.sources(node);
      double[] weights = new double[sources.length];
      double self = 1;
      for (int i = 0; i < weights.length; i++) {
        weights[i] = rule.weight(graph, node, sources[i]);
        self -= weights[i];
      }
      // On regular graphs all rows are alike; one array then serves them all.
      weights = Arrays.equals(weights, previous) ? previous : weights;
      previous = weights;
      neighbourhoods[node] =
          new Neighbourhood(node, graph.targets(node), sources, weights, Math.max(0, self));
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

package dev.grapevine.topology;

import dev.grapevine.settings.Kind;

/**
 * A cycle: node i and i + 1 (mod n) are neighbours. Degree 2, diameter ⌊n/2⌋, spectral gap of order
 * 1/n².
 */
@Kind(name = "ring", summary = "Every node talks to the one before and the one after it.")
public final class Ring {

  private Ring() {}

  public static Topology create(MixingWeights mixing, TopologyContext context) {
    return mixing.over(graph(context.nodes()), context);
  }

  static Graph graph(int nodes) {
    Graph.Builder graph = Graph.undirected(nodes);
    for (int node = 0; node < nodes; node++) {
      graph.add(node, (node + 1) % nodes);
    }
    return graph.build();
  }
}

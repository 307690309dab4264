package dev.grapevine.topology;

import dev.grapevine.settings.Kind;

/**
 * A cycle in one direction: node i sends to i + 1 (mod n). Its uniform weights, ½ and ½, are doubly
 * stochastic.
 */
@Kind(
    name = "directed-ring",
    summary = "Every node sends to the next one and hears from the one before.")
public final class DirectedRing {

  private DirectedRing() {}

  public static Topology create(OneWayWeights mixing, TopologyContext context) {
    return mixing.over(graph(context.nodes()), context);
  }

  static Graph graph(int nodes) {
    Graph.Builder graph = Graph.directed(nodes);
    for (int node = 0; node < nodes; node++) {
      graph.add(node, (node + 1) % nodes);
    }
    return graph.build();
  }
}

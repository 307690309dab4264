package dev.grapevine.topology;

import dev.grapevine.settings.Kind;

/**
 * The complete graph: n − 1 messages a node and round; one mixing with uniform weights is the exact
 * mean. Costs O(n²) memory.
 */
@Kind(name = "fully-connected", summary = "Every node talks to every other.")
public final class FullyConnected {

  private FullyConnected() {}

  public static Topology create(MixingWeights mixing, TopologyContext context) {
    return mixing.over(graph(context.nodes()), context);
  }

  static Graph graph(int nodes) {
    Graph.Builder graph = Graph.undirected(nodes);
    for (int node = 0; node < nodes; node++) {
      for (int peer = node + 1; peer < nodes; peer++) {
        graph.add(node, peer);
      }
    }
    return graph.build();
  }
}

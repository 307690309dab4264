package dev.grapevine.topology;

import dev.grapevine.settings.Kind;

/** A star around node 0: diameter 2, but the centre carries everyone's messages. */
@Kind(name = "star", summary = "Node 0 talks to all, all others to node 0 only.")
public final class Star {

  private Star() {}

  public static Topology create(MixingWeights mixing, TopologyContext context) {
    return mixing.over(graph(context.nodes()), context);
  }

  static Graph graph(int nodes) {
    Graph.Builder graph = Graph.undirected(nodes);
    for (int node = 1; node < nodes; node++) {
      graph.add(0, node);
    }
    return graph.build();
  }
}

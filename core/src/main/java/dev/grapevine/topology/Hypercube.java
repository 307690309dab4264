package dev.grapevine.topology;

import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;

/**
 * The hypercube: nodes whose binary numbers differ in one digit are neighbours. Degree and diameter
 * are log₂ n.
 */
@Kind(
    name = "hypercube",
    summary = "Nodes whose numbers differ in one binary digit; needs a power of two.")
public final class Hypercube {

  private Hypercube() {}

  public static Topology create(MixingWeights mixing, TopologyContext context) {
    return mixing.over(graph(context.nodes()), context);
  }

  static Graph graph(int nodes) {
    SettingException.require(
        Integer.bitCount(nodes) == 1,
        "kind",
        "a hypercube needs a power of two of nodes: nodes="
            + nodes
            + "; use "
            + Integer.highestOneBit(nodes)
            + " or "
            + 2L * Integer.highestOneBit(nodes)
            + ", or kind = \"exponential\"");
    Graph.Builder graph = Graph.undirected(nodes);
    for (int node = 0; node < nodes; node++) {
      for (int bit = 1; bit < nodes; bit <<= 1) {
        graph.add(node, node ^ bit);
      }
    }
    return graph.build();
  }
}

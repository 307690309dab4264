package dev.grapevine.topology;

import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
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

  /** How models are mixed. */
  public record Settings(
      @Doc("how much neighbours count: metropolis-hastings, uniform or self-weight")
          @Default("metropolis-hastings")
          Choice<TopologyContext, WeightRule> weights) {}

  public static Topology create(Settings settings, TopologyContext context) {
    return new StaticTopology(graph(context.nodes()), settings.weights().create(context));
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

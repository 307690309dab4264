package dev.grapevine.topology;

import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
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

  /** How models are mixed. */
  public record Settings(
      @Doc("how much neighbours count: metropolis-hastings, uniform or self-weight")
          @Default("uniform")
          Choice<TopologyContext, WeightRule> weights) {}

  public static Topology create(Settings settings, TopologyContext context) {
    return new StaticTopology(graph(context.nodes()), settings.weights().create(context));
  }

  static Graph graph(int nodes) {
    Graph.Builder graph = Graph.directed(nodes);
    for (int node = 0; node < nodes; node++) {
      graph.add(node, (node + 1) % nodes);
    }
    return graph.build();
  }
}

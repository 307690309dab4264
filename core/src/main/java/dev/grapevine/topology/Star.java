package dev.grapevine.topology;

import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;

/** A star around node 0: diameter 2, but the centre carries everyone's messages. */
@Kind(name = "star", summary = "Node 0 talks to all, all others to node 0 only.")
public final class Star {

  private Star() {}

  /** How models are mixed. */
  public record Settings(
      @Doc("how much neighbours count: metropolis-hastings, uniform or self-weight")
          @Default("metropolis-hastings")
          Choice<TopologyContext, WeightRule> weights) {}

  public static Topology create(Settings settings, TopologyContext context) {
    return new StaticTopology(graph(context.nodes()), settings.weights().create(context));
  }

  static Graph graph(int nodes) {
    Graph.Builder graph = Graph.undirected(nodes);
    for (int node = 1; node < nodes; node++) {
      graph.add(0, node);
    }
    return graph.build();
  }
}

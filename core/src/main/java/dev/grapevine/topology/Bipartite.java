package dev.grapevine.topology;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;

/**
 * The complete bipartite graph: nodes 0 to left − 1 on one side, the rest on the other, every node
 * talks to all of the other side. Diameter 2.
 */
@Kind(name = "bipartite", summary = "Two sides; every node talks to all of the other side.")
public final class Bipartite {

  private Bipartite() {}

  /** The sides and how models are mixed. */
  public record Settings(
      @Doc("nodes on the left side; 0 for half of them") @Default("0") int left,
      MixingWeights mixing) {
    public Settings {
      SettingException.require(left >= 0, "left", "left must not be negative: left=" + left);
    }
  }

  public static Topology create(Settings settings, TopologyContext context) {
    int left = settings.left() == 0 ? Math.max(1, context.nodes() / 2) : settings.left();
    SettingException.require(
        left < Math.max(2, context.nodes()),
        "left",
        "left must be below the number of nodes: left=" + left + ", nodes=" + context.nodes());
    return settings.mixing().over(graph(context.nodes(), left), context);
  }

  static Graph graph(int nodes, int left) {
    Graph.Builder graph = Graph.undirected(nodes);
    for (int node = 0; node < left; node++) {
      for (int peer = left; peer < nodes; peer++) {
        graph.add(node, peer);
      }
    }
    return graph.build();
  }
}

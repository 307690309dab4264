package dev.grapevine.topology;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;

/**
 * The balanced tree whose node i hangs below (i − 1) / branching: as few edges as a connected graph
 * can have, diameter of order log n.
 */
@Kind(name = "tree", summary = "A balanced tree with its root at node 0.")
public final class Tree {

  private Tree() {}

  /** The tree's shape and how models are mixed. */
  public record Settings(
      @Doc("children of a node, at least 1") @Default("2") int branching, MixingWeights mixing) {
    public Settings {
      SettingException.require(
          branching >= 1, "branching", "branching must be at least 1: branching=" + branching);
    }
  }

  public static Topology create(Settings settings, TopologyContext context) {
    return settings.mixing().over(graph(context.nodes(), settings.branching()), context);
  }

  static Graph graph(int nodes, int branching) {
    Graph.Builder graph = Graph.undirected(nodes);
    for (int node = 1; node < nodes; node++) {
      graph.add(node, (node - 1) / branching);
    }
    return graph.build();
  }
}

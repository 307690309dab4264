package dev.grapevine.topology;

import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.List;

/**
 * MATCHA: a graph is split into matchings, and each round every matching is on or off by lot, so
 * that a node sends {@code budget} times what it would send along all edges, and edges that hold
 * the graph together are on more often than others. The chances p_j maximize λ₂(Σ p_j L_j) under Σ
 * p_j = budget · number of matchings; models are mixed with W = I − α Σ_on L_j, where α minimizes
 * the norm of E[WᵀW] − J, the expected disagreement that is left.
 *
 * <p>α is held at 1 / (largest degree) at most, so that no node's own weight is negative; it only
 * binds on graphs with very unlike degrees, such as a star. One draw need not connect all nodes.
 * The colouring costs O(nodes · edges), the optimization some hundred products with the graph.
 *
 * <p>J. Wang, A. K. Sahu, Z. Yang, G. Joshi, S. Kar, "MATCHA: speeding up decentralized SGD via
 * matching decomposition sampling", 2019.
 */
@Kind(
    name = "matcha",
    summary = "Part of a graph's edges each round, by lot, the important ones more often.",
    paper = "Wang, Sahu, Yang, Joshi, Kar 2019, MATCHA")
public final class Matcha {

  private Matcha() {}

  /** The graph and how much of it is used. */
  public record Settings(
      @Doc("the graph whose edges are used; must not change") @Default("regular")
          Choice<TopologyContext, Topology> graph,
      @Doc("share of the matchings that are on in a round, on average, in (0, 1]") @Default("0.5")
          double budget) {
    public Settings {
      SettingException.require(
          budget > 0 && budget <= 1, "budget", "budget must be in (0, 1]: budget=" + budget);
    }
  }

  public static Topology create(Settings settings, TopologyContext context) {
    Topology topology = settings.graph().create(context);
    String kind = settings.graph().name();
    SettingException.require(
        topology.period() == 1,
        "graph",
        "matcha needs a graph that does not change: graph=" + kind);
    Graph graph = Graph.of(topology, 0);
    SettingException.require(
        !graph.isDirected() && graph.isConnected(),
        "graph",
        "matcha needs a connected graph whose edges run both ways: graph=" + kind);
    if (graph.edges() == 0) {
      return topology;
    }
    List<Graph> matchings = EdgeColouring.matchings(graph);
    MatchingChances chances = MatchingChances.of(matchings, settings.budget());
    double weight = Math.min(chances.bestWeight(), 1.0 / largestDegree(graph));
    WeightRule rule = (all, node, peer) -> weight;
    if (settings.budget() == 1) {
      return new StaticTopology(graph, rule);
    }
    RandomGraph drawn =
        random -> {
          Graph.Builder on = Graph.undirected(graph.nodes());
          for (int j = 0; j < matchings.size(); j++) {
            if (random.nextDouble() < chances.chance(j)) {
              for (int node = 0; node < graph.nodes(); node++) {
                for (int peer : matchings.get(j).targets(node)) {
                  on.add(node, peer);
                }
              }
            }
          }
          return on.build();
        };
    return new RedrawnTopology(drawn, rule, context, 1);
  }

  private static int largestDegree(Graph graph) {
    int largest = 0;
    for (int node = 0; node < graph.nodes(); node++) {
      largest = Math.max(largest, graph.targets(node).length);
    }
    return largest;
  }
}

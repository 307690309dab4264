package dev.grapevine.topology;

import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;

/**
 * The static exponential graph with edges both ways: i and i ± 2<sup>k</sup> (mod n) are neighbours
 * for every 2<sup>k</sup> &lt; n. Degree about 2 log₂ n, spectral gap of order 1/log n.
 *
 * <p>B. Ying, K. Yuan, Y. Chen, H. Hu, P. Pan, W. Yin, "Exponential graph is provably efficient for
 * decentralized deep training", NeurIPS 2021.
 */
@Kind(
    name = "exponential",
    summary = "Neighbours at distances 1, 2, 4, ... both ways round the circle.",
    paper =
        "Ying et al. 2021, Exponential graph is provably efficient for decentralized deep training")
public final class Exponential {

  private Exponential() {}

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
    for (int node = 0; node < nodes; node++) {
      for (long hop = 1; hop < nodes; hop *= 2) {
        graph.add(node, (int) ((node + hop) % nodes));
      }
    }
    return graph.build();
  }
}

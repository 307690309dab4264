package dev.grapevine.topology;

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

  public static Topology create(MixingWeights mixing, TopologyContext context) {
    return mixing.over(graph(context.nodes()), context);
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

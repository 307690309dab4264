package dev.grapevine.topology;

import dev.grapevine.settings.Kind;

/**
 * The static exponential graph: i sends to i + 2<sup>k</sup> (mod n) for every 2<sup>k</sup> &lt;
 * n. With uniform weights doubly stochastic, spectral gap 2/(2 + ⌊log₂(n − 1)⌋).
 *
 * <p>B. Ying, K. Yuan, Y. Chen, H. Hu, P. Pan, W. Yin, "Exponential graph is provably efficient for
 * decentralized deep training", NeurIPS 2021.
 */
@Kind(
    name = "directed-exponential",
    summary = "Sends to those at distances 1, 2, 4, ... ahead on the circle.",
    paper =
        "Ying et al. 2021, Exponential graph is provably efficient for decentralized deep training")
public final class DirectedExponential {

  private DirectedExponential() {}

  public static Topology create(OneWayWeights mixing, TopologyContext context) {
    return mixing.over(graph(context.nodes()), context);
  }

  static Graph graph(int nodes) {
    Graph.Builder graph = Graph.directed(nodes);
    for (int node = 0; node < nodes; node++) {
      for (long hop = 1; hop < nodes; hop *= 2) {
        graph.add(node, (int) ((node + hop) % nodes));
      }
    }
    return graph.build();
  }
}

package dev.grapevine.topology;

import dev.grapevine.settings.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The one-peer exponential graph: in round t node i sends to i + 2<sup>t mod ⌈log₂ n⌉</sup> (mod n)
 * only. One message a node and round; when n is a power of two, ⌈log₂ n⌉ rounds average exactly.
 *
 * <p>B. Ying, K. Yuan, Y. Chen, H. Hu, P. Pan, W. Yin, "Exponential graph is provably efficient for
 * decentralized deep training", NeurIPS 2021.
 */
@Kind(
    name = "one-peer-exponential",
    summary = "One peer a round, at distance 1, 2, 4, ... in turn.",
    paper =
        "Ying et al. 2021, Exponential graph is provably efficient for decentralized deep training")
public final class OnePeerExponential {

  private OnePeerExponential() {}

  public static Topology create(OneWayWeights mixing, TopologyContext context) {
    WeightRule rule = mixing.rule(context);
    List<StaticTopology> cycle = new ArrayList<>();
    long hop = 1;
    do {
      cycle.add(new StaticTopology(graph(context.nodes(), hop), rule));
      hop *= 2;
    } while (hop < context.nodes());
    return new CyclicTopology(cycle);
  }

  private static Graph graph(int nodes, long hop) {
    Graph.Builder graph = Graph.directed(nodes);
    for (int node = 0; node < nodes; node++) {
      graph.add(node, (int) ((node + hop) % nodes));
    }
    return graph.build();
  }
}

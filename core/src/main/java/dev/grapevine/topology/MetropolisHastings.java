package dev.grapevine.topology;

import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;

/**
 * w<sub>ij</sub> = 1 / (1 + max(d<sub>i</sub>, d<sub>j</sub>)) with d the degrees, on undirected
 * graphs: symmetric, so doubly stochastic, from what two neighbours know of each other.
 *
 * <p>L. Xiao, S. Boyd, S.-J. Kim, "Distributed average consensus with least-mean-square deviation",
 * Journal of Parallel and Distributed Computing 67(1), 2007.
 */
@Kind(
    name = "metropolis-hastings",
    summary = "1/(1 + the larger of the two degrees); keeps the mean on any undirected graph.",
    paper = "Xiao, Boyd, Kim 2007, Distributed average consensus with least-mean-square deviation")
public final class MetropolisHastings implements WeightRule {

  @Override
  public double weight(Graph graph, int node, int peer) {
    return 1.0 / (1 + Math.max(graph.targets(node).length, graph.targets(peer).length));
  }

  @Override
  public void check(Graph graph) {
    SettingException.require(
        !graph.isDirected(),
        "weights",
        "metropolis-hastings needs edges that run both ways, this graph has some that do not:"
            + " use weights = \"uniform\"");
  }
}

package dev.grapevine.topology;

import dev.grapevine.settings.Kind;

/**
 * A path: node i and i + 1 are neighbours. A tree of the largest diameter, n − 1, with n − 1 edges;
 * spectral gap of order 1/n². The hardest graph for gossip and the plainest tree for relaying.
 */
@Kind(name = "chain", summary = "A ring that is cut open: every node talks to the next one.")
public final class Chain {

  private Chain() {}

  public static Topology create(MixingWeights mixing, TopologyContext context) {
    return mixing.over(Tree.graph(context.nodes(), 1), context);
  }
}

package dev.grapevine.topology;

import dev.grapevine.settings.Family;

/**
 * How much a neighbour's model counts when a node mixes what it heard into its own. Together the
 * weights form the mixing matrix W; gossip keeps the mean of all models when W is doubly
 * stochastic, that is, when its columns, like its rows, add up to one.
 */
public interface WeightRule {

  /** The weight rules, chosen by the key {@code weights} of the topology's table. */
  Family<TopologyContext, WeightRule> FAMILY =
      new Family<>(
          "weights",
          WeightRule.class,
          TopologyContext.class,
          "How much each neighbour's model counts when models are mixed.");

  /**
   * The weight that {@code node} gives to {@code peer}, one of those it hears from. What a node's
   * weights leave of one is the weight of its own model.
   */
  double weight(Graph graph, int node, int peer);

  /**
   * Throws a {@link dev.grapevine.settings.SettingException} when the rule has no meaning on this
   * graph.
   */
  default void check(Graph graph) {}
}

package dev.grapevine.topology;

import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.SharedSettings;

/** How models are mixed on graphs whose edges run one way, where no rule can look at both ends. */
@SharedSettings
public record OneWayWeights(
    @Doc("how much those heard from count: uniform or self-weight") @Default("uniform")
        Choice<TopologyContext, WeightRule> weights,
    @Doc("whether to mix half as much, with (W + I)/2; d2 and the like need it on many graphs")
        @Default("false")
        boolean lazy) {

  /** The topology that has this graph in every round. */
  public Topology over(Graph graph, TopologyContext context) {
    return new StaticTopology(graph, rule(context));
  }

  /** The rule as chosen, or its lazy form. */
  WeightRule rule(TopologyContext context) {
    WeightRule rule = weights.create(context);
    return lazy ? new LazyWeights(rule) : rule;
  }
}

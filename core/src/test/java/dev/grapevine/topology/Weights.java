package dev.grapevine.topology;

import dev.grapevine.settings.Choice;

/** Weight rules as a settings record wants them. */
final class Weights {

  private record None() {}

  private record Chosen(WeightRule rule) implements Choice<TopologyContext, WeightRule> {
    @Override
    public String name() {
      return rule.getClass().getSimpleName();
    }

    @Override
    public Record settings() {
      return new None();
    }

    @Override
    public WeightRule create(TopologyContext context) {
      return rule;
    }
  }

  static final Choice<TopologyContext, WeightRule> METROPOLIS =
      new Chosen(new MetropolisHastings());
  static final Choice<TopologyContext, WeightRule> UNIFORM = new Chosen(new UniformWeights());

  static Choice<TopologyContext, WeightRule> self(double share) {
    return new Chosen(new SelfWeight(new SelfWeight.Settings(share)));
  }

  private Weights() {}
}

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

  static final MixingWeights METROPOLIS =
      new MixingWeights(new Chosen(new MetropolisHastings()), false);
  static final OneWayWeights UNIFORM = new OneWayWeights(new Chosen(new UniformWeights()), false);

  static final MixingWeights LAZY = new MixingWeights(METROPOLIS.weights(), true);

  static MixingWeights self(double share) {
    return new MixingWeights(new Chosen(new SelfWeight(new SelfWeight.Settings(share))), false);
  }

  private Weights() {}
}

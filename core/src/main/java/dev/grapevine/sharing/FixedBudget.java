package dev.grapevine.sharing;

import dev.grapevine.settings.Kind;
import java.util.random.RandomGenerator;

/** The same share in every round: the scheme's {@code alpha}. */
@Kind(name = "fixed", summary = "alpha in every round")
public final class FixedBudget implements Budget {

  private final double alpha;

  public FixedBudget(Double alpha) {
    this.alpha = alpha;
  }

  @Override
  public double share(int round, RandomGenerator random) {
    return alpha;
  }
}

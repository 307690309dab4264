package dev.grapevine.engine;

/**
 * How the learning rate changes over a run: a factor for the base rate as a function of the step,
 * so that it needs no state and resumes anywhere. Whether a step is a mini-batch, an epoch or a
 * round is the caller's choice.
 */
public sealed interface RateSchedule {

  /** Factor of the base rate at this step; steps count from 0. */
  double factor(long step);

  /** The base rate, always. */
  record Constant() implements RateSchedule {
    @Override
    public double factor(long step) {
      return 1;
    }
  }

  /**
   * Multiplied by {@code decay} every {@code every} steps (PyTorch's StepLR).
   *
   * @param every steps between two changes
   * @param decay factor of one change
   */
  record Step(long every, double decay) implements RateSchedule {
    public Step {
      requirePositive("every", every);
      requirePositive("decay", decay);
    }

    @Override
    public double factor(long step) {
      return Math.pow(decay, step / every);
    }
  }

  /**
   * Multiplied by {@code decay} in every step (PyTorch's ExponentialLR).
   *
   * @param decay factor of one step
   */
  record Exponential(double decay) implements RateSchedule {
    public Exponential {
      requirePositive("decay", decay);
    }

    @Override
    public double factor(long step) {
      return Math.pow(decay, step);
    }
  }

  /**
   * Half a cosine from 1 down to {@code floor} over {@code steps} steps, then flat (Loshchilov and
   * Hutter, "SGDR", ICLR 2017, without restarts; PyTorch's CosineAnnealingLR up to its end).
   *
   * @param steps length of the descent
   * @param floor factor at its end
   */
  record Cosine(long steps, double floor) implements RateSchedule {
    public Cosine {
      requirePositive("steps", steps);
      Optimizer.checkRange("floor", floor, 0, Double.POSITIVE_INFINITY);
    }

    @Override
    public double factor(long step) {
      double done = Math.min(1.0, (double) step / steps);
      return floor + (1 - floor) * (1 + Math.cos(Math.PI * done)) / 2;
    }
  }

  /**
   * A straight line from {@code start} to 1 over {@code steps} steps (PyTorch's LinearLR), then
   * another schedule that counts from its own step 0.
   *
   * @param steps length of the warm-up
   * @param start factor at step 0
   * @param then what follows
   */
  record WarmUp(long steps, double start, RateSchedule then) implements RateSchedule {
    public WarmUp {
      requirePositive("steps", steps);
      Optimizer.checkRange("start", start, 0, Double.POSITIVE_INFINITY);
    }

    @Override
    public double factor(long step) {
      return step < steps ? start + (1 - start) * step / steps : then.factor(step - steps);
    }
  }

  private static void requirePositive(String name, double value) {
    if (!(value > 0)) {
      throw new IllegalArgumentException("%s must be positive: %s=%s".formatted(name, name, value));
    }
  }
}

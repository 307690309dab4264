package dev.grapevine.engine.layer;

import java.util.random.RandomGenerator;

/** How a tensor starts. */
@FunctionalInterface
public interface Initialization {

  void fill(float[] parameters, int offset, int size, RandomGenerator random);

  /** Every value the same. */
  static Initialization constant(float value) {
    return (parameters, offset, size, _) ->
        java.util.Arrays.fill(parameters, offset, offset + size, value);
  }

  /** Uniform in ±bound. */
  static Initialization uniform(double bound) {
    return (parameters, offset, size, random) -> {
      for (int i = offset; i < offset + size; i++) {
        parameters[i] = (float) ((2 * random.nextDouble() - 1) * bound);
      }
    };
  }

  /**
   * PyTorch's default for weights and biases of linear and convolutional layers: uniform in
   * ±1/√fanIn, which is Kaiming's with a = √5.
   */
  static Initialization fanIn(int fanIn) {
    return uniform(1 / Math.sqrt(fanIn));
  }

  /** Normal with mean zero. */
  static Initialization normal(double deviation) {
    return (parameters, offset, size, random) -> {
      for (int i = offset; i < offset + size; i++) {
        parameters[i] = (float) (random.nextGaussian() * deviation);
      }
    };
  }
}

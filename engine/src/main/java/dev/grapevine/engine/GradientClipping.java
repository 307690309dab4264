package dev.grapevine.engine;

/** Bounds a gradient before the optimizer sees it. */
public sealed interface GradientClipping {

  /** Changes the first {@code trainable} values in place. */
  void apply(float[] gradient, int trainable);

  /** Leaves the gradient alone. */
  record None() implements GradientClipping {
    @Override
    public void apply(float[] gradient, int trainable) {}
  }

  /**
   * Scales the whole gradient so that its Euclidean norm is at most {@code norm} (Pascanu et al.,
   * "On the difficulty of training recurrent neural networks", ICML 2013; PyTorch's
   * clip_grad_norm_).
   *
   * @param norm the bound
   */
  record ByNorm(double norm) implements GradientClipping {
    public ByNorm {
      requirePositive("norm", norm);
    }

    @Override
    public void apply(float[] gradient, int trainable) {
      // PyTorch's guard against a division by zero.
      double scale = norm / (norm(gradient, trainable) + 1e-6);
      if (scale >= 1) {
        return;
      }
      float factor = (float) scale;
      for (int i = 0; i < trainable; i++) {
        gradient[i] *= factor;
      }
    }

    /** Four running sums in a fixed order: faster than one and the same bits every time. */
    private static double norm(float[] gradient, int trainable) {
      double a = 0;
      double b = 0;
      double c = 0;
      double d = 0;
      int i = 0;
      for (; i + 4 <= trainable; i += 4) {
        a += (double) gradient[i] * gradient[i];
        b += (double) gradient[i + 1] * gradient[i + 1];
        c += (double) gradient[i + 2] * gradient[i + 2];
        d += (double) gradient[i + 3] * gradient[i + 3];
      }
      for (; i < trainable; i++) {
        a += (double) gradient[i] * gradient[i];
      }
      return Math.sqrt(a + b + (c + d));
    }
  }

  /**
   * Moves every value into {@code [-bound, bound]} (PyTorch's clip_grad_value_).
   *
   * @param bound largest magnitude left
   */
  record ByValue(double bound) implements GradientClipping {
    public ByValue {
      requirePositive("bound", bound);
    }

    @Override
    public void apply(float[] gradient, int trainable) {
      float limit = (float) bound;
      for (int i = 0; i < trainable; i++) {
        gradient[i] = Math.max(-limit, Math.min(limit, gradient[i]));
      }
    }
  }

  private static void requirePositive(String name, double value) {
    if (!(value > 0)) {
      throw new IllegalArgumentException("%s must be positive: %s=%s".formatted(name, name, value));
    }
  }
}

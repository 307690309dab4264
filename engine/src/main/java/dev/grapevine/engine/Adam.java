package dev.grapevine.engine;

/**
 * Adam as in PyTorch: with {@code g' = g + weightDecay·p} and t = 1, 2, …,
 *
 * <pre>
 *   m ← β₁·m + (1−β₁)·g',   v ← β₂·v + (1−β₂)·g'²
 *   p ← p − rate/(1−β₁ᵗ) · m / (√v/√(1−β₂ᵗ) + ε)
 * </pre>
 *
 * <p>Kingma and Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015. Two state values per
 * parameter: all of m, then all of v.
 *
 * @param beta1 decay of the mean of gradients
 * @param beta2 decay of the mean of squared gradients
 * @param epsilon keeps the quotient finite
 * @param weightDecay L2 penalty added to the gradient; see {@link AdamW} for decoupled decay
 */
public record Adam(double beta1, double beta2, double epsilon, double weightDecay)
    implements Optimizer {

  public Adam {
    Optimizer.checkRange("beta1", beta1, 0, 1);
    Optimizer.checkRange("beta2", beta2, 0, 1);
    Optimizer.checkRange("epsilon", epsilon, 0, Double.POSITIVE_INFINITY);
    Optimizer.checkRange("weightDecay", weightDecay, 0, Double.POSITIVE_INFINITY);
  }

  /** PyTorch's defaults. */
  public Adam() {
    this(0.9, 0.999, 1e-8, 0);
  }

  @Override
  public int stateSize(int trainable) {
    return Math.multiplyExact(2, trainable);
  }

  @Override
  public void step(
      float[] parameters, float[] gradient, int trainable, float[] state, long step, double rate) {
    Optimizer.check(this, parameters, gradient, trainable, state);
    float decay = (float) weightDecay;
    update(parameters, gradient, trainable, state, step, rate, 1, decay);
  }

  /**
   * The step shared with {@link AdamW}: parameters shrink by {@code keep} first, {@code penalty}
   * times the parameters joins the gradient.
   */
  void update(
      float[] p,
      float[] g,
      int n,
      float[] state,
      long step,
      double rate,
      float keep,
      float penalty) {
    float b1 = (float) beta1;
    float b2 = (float) beta2;
    float c1 = (float) (1 - beta1);
    float c2 = (float) (1 - beta2);
    float size = (float) (rate / (1 - Math.pow(beta1, step + 1.0)));
    float scale = (float) (1 / Math.sqrt(1 - Math.pow(beta2, step + 1.0)));
    float eps = (float) epsilon;
    for (int i = 0; i < n; i++) {
      float slope = g[i] + penalty * p[i];
      float mean = b1 * state[i] + c1 * slope;
      float square = b2 * state[n + i] + c2 * (slope * slope);
      state[i] = mean;
      state[n + i] = square;
      p[i] = keep * p[i] - size * mean / ((float) Math.sqrt(square) * scale + eps);
    }
  }
}

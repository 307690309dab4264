package dev.grapevine.engine;

/**
 * Adam with decoupled weight decay, as in PyTorch: {@code p ← (1 − rate·weightDecay)·p}, then
 * Adam's step on the gradient alone.
 *
 * <p>Loshchilov and Hutter, "Decoupled Weight Decay Regularization", ICLR 2019. Two state values
 * per parameter, as {@link Adam}.
 *
 * @param beta1 decay of the mean of gradients
 * @param beta2 decay of the mean of squared gradients
 * @param epsilon keeps the quotient finite
 * @param weightDecay share of a parameter lost per step, times the rate
 */
public record AdamW(double beta1, double beta2, double epsilon, double weightDecay)
    implements Optimizer {

  public AdamW {
    new Adam(beta1, beta2, epsilon, weightDecay);
  }

  /** PyTorch's defaults. */
  public AdamW() {
    this(0.9, 0.999, 1e-8, 0.01);
  }

  @Override
  public int stateSize(int trainable) {
    return Math.multiplyExact(2, trainable);
  }

  @Override
  public void step(
      float[] parameters, float[] gradient, int trainable, float[] state, long step, double rate) {
    Optimizer.check(this, parameters, gradient, trainable, state);
    float keep = (float) (1 - rate * weightDecay);
    new Adam(beta1, beta2, epsilon, 0)
        .update(parameters, gradient, trainable, state, step, rate, keep, 0);
  }
}

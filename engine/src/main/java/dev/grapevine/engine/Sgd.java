package dev.grapevine.engine;

/**
 * Stochastic gradient descent as in PyTorch: with {@code g' = g + weightDecay·p},
 *
 * <pre>
 *   b ← momentum·b + g'          (b = 0 before the first step)
 *   p ← p − rate·b               plain momentum
 *   p ← p − rate·(g' + momentum·b)   Nesterov
 * </pre>
 *
 * <p>Sutskever et al., "On the importance of initialization and momentum in deep learning", ICML
 * 2013. One state value per parameter with momentum, none without.
 *
 * @param momentum share of the last change that is kept, 0 for none
 * @param nesterov whether to look ahead along the momentum
 * @param weightDecay L2 penalty added to the gradient
 */
public record Sgd(double momentum, boolean nesterov, double weightDecay) implements Optimizer {

  public Sgd {
    Optimizer.checkRange("momentum", momentum, 0, 1);
    Optimizer.checkRange("weightDecay", weightDecay, 0, Double.POSITIVE_INFINITY);
    if (nesterov && momentum == 0) {
      throw new IllegalArgumentException(
          "nesterov needs momentum: momentum=0, set it (0.9 is usual) or leave nesterov off");
    }
  }

  /** Plain gradient descent. */
  public Sgd() {
    this(0, false, 0);
  }

  @Override
  public int stateSize(int trainable) {
    return momentum == 0 ? 0 : trainable;
  }

  @Override
  public void step(
      float[] parameters, float[] gradient, int trainable, float[] state, long step, double rate) {
    Optimizer.check(this, parameters, gradient, trainable, state);
    float lr = (float) rate;
    float decay = (float) weightDecay;
    if (momentum == 0) {
      plain(parameters, gradient, trainable, lr, decay);
    } else if (nesterov) {
      lookAhead(parameters, gradient, trainable, state, lr, (float) momentum, decay);
    } else {
      heavyBall(parameters, gradient, trainable, state, lr, (float) momentum, decay);
    }
  }

  // Three loops instead of one with branches: each is simple enough for the JIT to vectorise.

  private static void plain(float[] p, float[] g, int n, float rate, float decay) {
    if (decay == 0) {
      for (int i = 0; i < n; i++) {
        p[i] -= rate * g[i];
      }
    } else {
      for (int i = 0; i < n; i++) {
        p[i] -= rate * (g[i] + decay * p[i]);
      }
    }
  }

  private static void heavyBall(
      float[] p, float[] g, int n, float[] b, float rate, float momentum, float decay) {
    for (int i = 0; i < n; i++) {
      float velocity = momentum * b[i] + (g[i] + decay * p[i]);
      b[i] = velocity;
      p[i] -= rate * velocity;
    }
  }

  private static void lookAhead(
      float[] p, float[] g, int n, float[] b, float rate, float momentum, float decay) {
    for (int i = 0; i < n; i++) {
      float slope = g[i] + decay * p[i];
      float velocity = momentum * b[i] + slope;
      b[i] = velocity;
      p[i] -= rate * (slope + momentum * velocity);
    }
  }
}

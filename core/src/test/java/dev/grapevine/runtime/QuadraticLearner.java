package dev.grapevine.runtime;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.learning.Evaluation;
import dev.grapevine.learning.Learner;
import java.util.List;

/** Minimizes {@code curvature |x - target|^2 / 2} by gradient steps, with momentum or without. */
public final class QuadraticLearner implements Learner {

  private final float[] parameters;
  private final float[] target;
  private final float[] velocity;
  private final float curvature;
  private final float rate;
  private final float momentum;
  private final int steps;

  public QuadraticLearner(float[] start, float[] target, float rate) {
    this(start, target, 1, rate, 0, 1);
  }

  /**
   * @param steps gradient steps in a round
   */
  public QuadraticLearner(
      float[] start, float[] target, float curvature, float rate, float momentum, int steps) {
    parameters = start.clone();
    velocity = new float[start.length];
    this.target = target.clone();
    this.curvature = curvature;
    this.rate = rate;
    this.momentum = momentum;
    this.steps = steps;
  }

  /** Where the minimum is. */
  public float[] target() {
    return target.clone();
  }

  @Override
  public int stepsPerRound() {
    return steps;
  }

  @Override
  public float[] parameters() {
    return parameters;
  }

  @Override
  public List<ParameterBlock> blocks() {
    return List.of(new ParameterBlock("x", new int[] {parameters.length}, 0));
  }

  @Override
  public int samples() {
    return 1;
  }

  /** Made up from the target, so that nodes differ. */
  @Override
  public int[] labelCounts() {
    int[] counts = new int[Math.min(4, target.length)];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = (int) (10 * Math.abs(target[i]));
    }
    return counts;
  }

  @Override
  public double train() {
    float[] gradient = new float[parameters.length];
    double loss = 0;
    for (int step = 0; step < steps; step++) {
      loss += gradient(gradient);
      apply(gradient);
    }
    return loss / steps;
  }

  @Override
  public double gradient(float[] gradient) {
    return gradientAt(parameters, gradient);
  }

  @Override
  public double gradientAt(float[] at, float[] gradient) {
    double loss = 0;
    for (int i = 0; i < at.length; i++) {
      gradient[i] = curvature * (at[i] - target[i]);
      loss += 0.5 * gradient[i] * (at[i] - target[i]);
    }
    return loss;
  }

  @Override
  public double rate() {
    return rate;
  }

  @Override
  public void apply(float[] gradient) {
    for (int i = 0; i < parameters.length; i++) {
      velocity[i] = momentum * velocity[i] + gradient[i];
      parameters[i] -= rate * velocity[i];
    }
  }

  @Override
  public Evaluation test() {
    return new Evaluation(gradient(new float[parameters.length]), Double.NaN, 1);
  }
}

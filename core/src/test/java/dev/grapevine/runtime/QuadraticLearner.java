package dev.grapevine.runtime;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.learning.Evaluation;
import dev.grapevine.learning.Learner;
import java.util.List;

/** Minimizes {@code |x - target|^2 / 2} by plain gradient steps. */
public final class QuadraticLearner implements Learner {

  private final float[] parameters;
  private final float[] target;
  private final float rate;

  public QuadraticLearner(float[] start, float[] target, float rate) {
    parameters = start.clone();
    this.target = target.clone();
    this.rate = rate;
  }

  @Override
  public int stepsPerRound() {
    return 1;
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
    double loss = gradient(gradient);
    apply(gradient);
    return loss;
  }

  @Override
  public double gradient(float[] gradient) {
    double loss = 0;
    for (int i = 0; i < parameters.length; i++) {
      gradient[i] = parameters[i] - target[i];
      loss += 0.5 * gradient[i] * gradient[i];
    }
    return loss;
  }

  @Override
  public void apply(float[] gradient) {
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] -= rate * gradient[i];
    }
  }

  @Override
  public Evaluation test() {
    return new Evaluation(gradient(new float[parameters.length]), Double.NaN, 1);
  }
}

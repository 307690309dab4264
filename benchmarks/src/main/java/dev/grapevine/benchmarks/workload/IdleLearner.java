package dev.grapevine.benchmarks.workload;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.learning.Evaluation;
import dev.grapevine.learning.Learner;
import java.util.List;

/** Has parameters and learns nothing. */
public record IdleLearner(float[] parameters) implements Learner {

  @Override
  public List<ParameterBlock> blocks() {
    return List.of();
  }

  @Override
  public int stepsPerRound() {
    return 1;
  }

  @Override
  public int samples() {
    return 0;
  }

  @Override
  public double train() {
    return 0;
  }

  @Override
  public double gradient(float[] gradient) {
    return 0;
  }

  @Override
  public double gradientAt(float[] parameters, float[] gradient) {
    return 0;
  }

  @Override
  public double rate() {
    return 0;
  }

  @Override
  public void apply(float[] gradient) {}

  @Override
  public Evaluation test() {
    return new Evaluation(0, Double.NaN, 0);
  }
}

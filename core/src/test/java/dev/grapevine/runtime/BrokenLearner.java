package dev.grapevine.runtime;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.learning.Evaluation;
import dev.grapevine.learning.Learner;
import java.util.List;

/** A learner whose data cannot be read. */
record BrokenLearner(Learner whole) implements Learner {

  @Override
  public int stepsPerRound() {
    return 1;
  }

  @Override
  public float[] parameters() {
    return whole.parameters();
  }

  @Override
  public List<ParameterBlock> blocks() {
    return whole.blocks();
  }

  @Override
  public int samples() {
    return 0;
  }

  @Override
  public double train() {
    throw new IllegalStateException("shard 4 is empty");
  }

  @Override
  public double gradient(float[] gradient) {
    throw new IllegalStateException("shard 4 is empty");
  }

  @Override
  public double gradientAt(float[] parameters, float[] gradient) {
    throw new IllegalStateException("shard 4 is empty");
  }

  @Override
  public double rate() {
    return whole.rate();
  }

  @Override
  public void apply(float[] gradient) {
    throw new IllegalStateException("shard 4 is empty");
  }

  @Override
  public Evaluation test() {
    throw new IllegalStateException("shard 4 is empty");
  }
}

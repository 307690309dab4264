package dev.grapevine.learning;

import dev.grapevine.engine.ParameterBlock;
import java.util.List;

/**
 * A node's model and its own data. Not safe for concurrent use: the runtime calls one method at a
 * time, on a compute thread.
 */
public interface Learner {

  /** The live flat parameter vector; sharing merges into it in place. */
  float[] parameters();

  /** The model's running statistics, if it keeps any apart from its parameters. */
  default float[] statistics() {
    return new float[0];
  }

  /** The named tensors of the vector, in order. */
  List<ParameterBlock> blocks();

  /** Number of training samples the node holds. */
  int samples();

  /** How many of the samples belong to each class; empty for a task without classes. */
  default int[] labelCounts() {
    return new int[0];
  }

  /** Number of mini-batches in one round of local training. */
  int stepsPerRound();

  /** Runs the local steps of one round and returns their mean loss. */
  double train();

  /** Writes the gradient of the next mini-batch at the present parameters; returns its loss. */
  double gradient(float[] gradient);

  /**
   * Writes the gradient of the mini-batch that {@link #gradient} took last, at other parameters;
   * returns its loss. To be called in the same piece of work as {@link #gradient}.
   */
  double gradientAt(float[] parameters, float[] gradient);

  /** The learning rate of the next step. */
  double rate();

  /** Lets the optimizer apply a gradient to the parameters. */
  void apply(float[] gradient);

  /** Evaluates the present parameters on the test set. */
  Evaluation test();
}

package dev.grapevine.engine;

/**
 * How well a model does on some samples; scores of several batches add up.
 *
 * @param lossSum sum of the samples' losses
 * @param correct number of correctly classified samples
 * @param samples number of samples
 */
public record Score(double lossSum, int correct, int samples) {

  /** Nothing evaluated yet. */
  public static final Score NONE = new Score(0, 0, 0);
}

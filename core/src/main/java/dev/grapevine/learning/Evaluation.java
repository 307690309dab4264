package dev.grapevine.learning;

/**
 * How well a model does on a set of samples.
 *
 * @param loss mean loss
 * @param accuracy share of samples classified correctly, or NaN for a task without classes
 * @param rSquared share of the values' variance that the model explains (R²), at most 1 and below 0
 *     for a model worse than their mean; NaN for a task with classes or values that are all equal
 * @param samples how many samples were looked at
 */
public record Evaluation(double loss, double accuracy, double rSquared, int samples) {

  /** An evaluation of a task with classes, or of one whose spread is not known. */
  public Evaluation(double loss, double accuracy, int samples) {
    this(loss, accuracy, Double.NaN, samples);
  }
}

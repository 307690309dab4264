package dev.grapevine.learning;

/**
 * How well a model does on a set of samples.
 *
 * @param loss mean loss
 * @param accuracy share of samples classified correctly, or NaN for a task without classes
 * @param samples how many samples were looked at
 */
public record Evaluation(double loss, double accuracy, int samples) {}

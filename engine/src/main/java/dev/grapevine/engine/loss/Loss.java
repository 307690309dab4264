package dev.grapevine.engine.loss;

import org.jspecify.annotations.Nullable;

/**
 * What training makes small. Works on a whole batch: {@code width} outputs a sample, {@link
 * #targets(int)} targets a sample.
 */
public interface Loss {

  /** PyTorch's word for it, in lower case. */
  String name();

  /** Targets per sample for a model with so many outputs. */
  int targets(int outputs);

  /**
   * The sum of the samples' losses. Where {@code gradient} is given, it becomes the gradient of
   * their <em>mean</em> with respect to the outputs.
   *
   * @throws IllegalArgumentException if a target is out of range
   */
  double sum(float[] outputs, float[] targets, int samples, int width, float @Nullable [] gradient);

  /** How many samples are predicted correctly; zero where that means nothing. */
  int correct(float[] outputs, float[] targets, int samples, int width);
}

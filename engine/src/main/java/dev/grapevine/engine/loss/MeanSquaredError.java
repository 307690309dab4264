package dev.grapevine.engine.loss;

import org.jspecify.annotations.Nullable;

/** (output − target)², averaged over a sample's outputs; as many targets as outputs. */
public record MeanSquaredError() implements Loss {

  @Override
  public String name() {
    return "mse";
  }

  @Override
  public int targets(int outputs) {
    return outputs;
  }

  @Override
  public double sum(
      float[] outputs, float[] targets, int samples, int width, float @Nullable [] gradient) {
    double total = 0;
    double scale = 2.0 / ((double) samples * width);
    for (int i = 0; i < samples * width; i++) {
      double difference = (double) outputs[i] - targets[i];
      total += difference * difference;
      if (gradient != null) {
        gradient[i] = (float) (scale * difference);
      }
    }
    return total / width;
  }

  @Override
  public int correct(float[] outputs, float[] targets, int samples, int width) {
    return 0;
  }
}

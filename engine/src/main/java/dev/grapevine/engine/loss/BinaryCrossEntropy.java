package dev.grapevine.engine.loss;

import dev.grapevine.engine.Loss;
import org.jspecify.annotations.Nullable;

/**
 * −t·log σ(x) − (1−t)·log(1−σ(x)) of logits x, averaged over a sample's outputs (PyTorch's
 * BCEWithLogitsLoss). As many targets as outputs, each a probability in [0, 1]. A sample is correct
 * if every output falls on its target's side.
 */
public record BinaryCrossEntropy() implements Loss {

  @Override
  public String name() {
    return "binary-cross-entropy";
  }

  @Override
  public int targets(int outputs) {
    return outputs;
  }

  @Override
  public double sum(
      float[] outputs, float[] targets, int samples, int width, float @Nullable [] gradient) {
    double total = 0;
    double scale = 1.0 / ((double) samples * width);
    for (int i = 0; i < samples * width; i++) {
      double x = outputs[i];
      double target = target(targets[i], i / width);
      // max(x, 0) − t·x + log(1 + exp(−|x|)) never overflows.
      total += Math.max(x, 0) - target * x + Math.log1p(Math.exp(-Math.abs(x)));
      if (gradient != null) {
        gradient[i] = (float) (scale * (1 / (1 + Math.exp(-x)) - target));
      }
    }
    return total / width;
  }

  @Override
  public int correct(float[] outputs, float[] targets, int samples, int width) {
    int correct = 0;
    for (int n = 0; n < samples; n++) {
      boolean right = true;
      for (int i = n * width; i < (n + 1) * width; i++) {
        right &= outputs[i] > 0 == targets[i] > 0.5f;
      }
      correct += right ? 1 : 0;
    }
    return correct;
  }

  private static double target(float target, int sample) {
    if (!(target >= 0 && target <= 1)) {
      throw new IllegalArgumentException(
          "target out of range: target=%s, expected=0..1, sample=%d".formatted(target, sample));
    }
    return target;
  }
}

package dev.grapevine.engine.loss;

import org.jspecify.annotations.Nullable;

/** −log softmax(outputs)[label]; a sample's target is its class label. */
public record CrossEntropy() implements Loss {

  @Override
  public String name() {
    return "cross-entropy";
  }

  @Override
  public int targets(int outputs) {
    return 1;
  }

  @Override
  public double sum(
      float[] outputs, float[] targets, int samples, int width, float @Nullable [] gradient) {
    double total = 0;
    for (int n = 0; n < samples; n++) {
      int at = n * width;
      int label = label(targets[n], width, n);
      double largest = outputs[at];
      for (int i = 1; i < width; i++) {
        largest = Math.max(largest, outputs[at + i]);
      }
      double sum = 0;
      for (int i = 0; i < width; i++) {
        sum += Math.exp(outputs[at + i] - largest);
      }
      total += Math.log(sum) - (outputs[at + label] - largest);
      if (gradient != null) {
        for (int i = 0; i < width; i++) {
          double probability = Math.exp(outputs[at + i] - largest) / sum;
          gradient[at + i] = (float) ((probability - (i == label ? 1 : 0)) / samples);
        }
      }
    }
    return total;
  }

  @Override
  public int correct(float[] outputs, float[] targets, int samples, int width) {
    int correct = 0;
    for (int n = 0; n < samples; n++) {
      int best = 0;
      for (int i = 1; i < width; i++) {
        if (outputs[n * width + i] > outputs[n * width + best]) {
          best = i;
        }
      }
      if (best == label(targets[n], width, n)) {
        correct++;
      }
    }
    return correct;
  }

  private static int label(float target, int classes, int sample) {
    int label = (int) target;
    if (label != target || label < 0 || label >= classes) {
      throw new IllegalArgumentException(
          "label out of range: label=%s, expected=0..%d, sample=%d"
              .formatted(target, classes - 1, sample));
    }
    return label;
  }
}

package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import java.util.Arrays;

/** The bias of a convolution, and the sum of its output's gradient over samples and pixels. */
final class BiasGradient {

  private final Conv2d conv;
  private final Binding binding;
  private final Kernels kernels;
  private final float[] values;
  private final float[] none;
  private final float[] gradient;
  private final float[] ofSample;

  BiasGradient(Conv2d conv, Binding binding) {
    this.conv = conv;
    this.binding = binding;
    this.kernels = binding.kernels();
    this.values = new float[conv.outputs()];
    this.none = new float[Math.max(conv.input().channels(), conv.outputs())];
    this.gradient = new float[conv.outputs()];
    this.ofSample = new float[conv.outputs()];
  }

  /** One value per output; zeros if the layer has no bias. */
  float[] values() {
    return values;
  }

  /** Zeros, for inputs as well as outputs. */
  float[] none() {
    return none;
  }

  void prepare(Step step) {
    if (conv.bias()) {
      System.arraycopy(step.parameters(), binding.parameterOffsets()[1], values, 0, conv.outputs());
      Arrays.fill(gradient, 0f);
    }
  }

  /** Summed up sample by sample: fewer digits are lost than in one long sum. */
  void add(int from, int to) {
    if (!conv.bias()) {
      return;
    }
    Plane dy = binding.output().requireGradient();
    for (int n = from; n < to; n++) {
      Arrays.fill(ofSample, 0f);
      for (int row = 0; row < dy.height(); row++) {
        kernels
            .channels()
            .sums(dy.data(), dy.at(n, row, 0), dy.width(), dy.channels(), ofSample, 0);
      }
      kernels.add(ofSample, 0, gradient, 0, conv.outputs());
    }
  }

  void finish(Step step) {
    if (conv.bias()) {
      System.arraycopy(gradient, 0, step.gradient(), binding.parameterOffsets()[1], conv.outputs());
    }
  }
}

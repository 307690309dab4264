package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.MinimalFiltering;

/**
 * Between the weights of a convolution, [outputs][inputs][taps], and panels of transformed weights,
 * [point][row][panel] with the points {@link #pointStride} apart. A panel holds outputs and rows
 * are inputs, or for the turned kernel the other way round.
 */
final class FilteredWeights {

  private final MinimalFiltering filtering;
  private final Binding binding;
  private final Kernels kernels;
  private final int inputs;
  private final int outputs;
  private final int taps;
  private final int pointStride;
  private final float[] tapPanel;
  private final float[] scratch;

  /**
   * @param perPoint floats that the user of the panels keeps per point
   */
  FilteredWeights(Conv2d conv, MinimalFiltering filtering, Binding binding, int perPoint) {
    this.filtering = filtering;
    this.binding = binding;
    this.kernels = binding.kernels();
    this.inputs = conv.input().channels();
    this.outputs = conv.outputs();
    this.taps = conv.kernel() * conv.kernel();
    // A panel more than needed, so that the points of one weight fall in different cache sets.
    this.pointStride = perPoint + kernels.panel();
    this.tapPanel = new float[taps * kernels.panel()];
    this.scratch = new float[filtering.scratch(kernels)];
  }

  int pointStride() {
    return pointStride;
  }

  /** Floats of all points. */
  int size() {
    return Math.multiplyExact(filtering.products(), pointStride);
  }

  /** For the forward pass: the panel of outputs from {@code o} on. */
  void transform(Step step, int o, float[] u, int at) {
    int panel = kernels.panel();
    float[] w = step.parameters();
    int first = binding.parameterOffsets()[0] + o * inputs * taps;
    for (int c = 0; c < inputs; c++) {
      for (int j = 0; j < panel; j++) {
        int from = first + (j * inputs + c) * taps;
        for (int k = 0; k < taps; k++) {
          tapPanel[k * panel + j] = w[from + k];
        }
      }
      kernels.tiles().weights(filtering, tapPanel, u, at + c * panel, pointStride, scratch);
    }
  }

  /** For the input's gradient: the panel of inputs from {@code c} on, kernels turned round. */
  void transformTurned(Step step, int c, float[] u, int at) {
    int panel = kernels.panel();
    float[] w = step.parameters();
    int first = binding.parameterOffsets()[0] + c * taps;
    for (int o = 0; o < outputs; o++) {
      for (int j = 0; j < panel; j++) {
        int from = first + (o * inputs + j) * taps;
        for (int k = 0; k < taps; k++) {
          tapPanel[(taps - 1 - k) * panel + j] = w[from + k];
        }
      }
      kernels.tiles().weights(filtering, tapPanel, u, at + o * panel, pointStride, scratch);
    }
  }

  /** Leaves the weight gradient of the panel of outputs from {@code o} on. */
  void gradient(float[] u, int at, Step step, int o) {
    int panel = kernels.panel();
    float[] g = step.gradient();
    int first = binding.parameterOffsets()[0] + o * inputs * taps;
    for (int c = 0; c < inputs; c++) {
      kernels.tiles().weightGradient(filtering, u, at + c * panel, pointStride, tapPanel, scratch);
      for (int j = 0; j < panel; j++) {
        int to = first + (j * inputs + c) * taps;
        for (int k = 0; k < taps; k++) {
          g[to + k] = tapPanel[k * panel + j];
        }
      }
    }
  }
}

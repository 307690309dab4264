package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.MinimalFiltering;
import dev.grapevine.engine.kernel.Rows;

/**
 * Between the weights of a convolution, [outputs][inputs][taps], and panels of transformed weights,
 * [point][row][panel] with the points {@link #pointStride} apart. A panel holds outputs and rows
 * are inputs, or for the turned kernel the other way round.
 */
final class FilteredWeights {

  /** Kernels that are turned into columns together; a multiple of any number of lanes. */
  private static final int AT_ONCE = 16;

  private final MinimalFiltering filtering;
  private final Binding binding;
  private final Kernels kernels;
  private final int inputs;
  private final int taps;
  private final int pointStride;

  /** [kernels][taps][panel], and where its rows start. */
  private final float[] tapPanels;

  private final int[] tapRows;

  /** One kernel's rows, last tap first; what follows only fills a block. */
  private final int[] turnedRows;

  private final float[] scratch;
  private final float[] tile;

  /**
   * @param perPoint floats that the user of the panels keeps per point
   */
  FilteredWeights(Conv2d conv, MinimalFiltering filtering, Binding binding, int perPoint) {
    this.filtering = filtering;
    this.binding = binding;
    this.kernels = binding.kernels();
    this.inputs = conv.input().channels();
    this.taps = conv.kernel() * conv.kernel();
    // A panel more than needed, so that the points of one weight fall in different cache sets.
    this.pointStride = perPoint + kernels.panel();
    this.tapRows = Rows.evenly(AT_ONCE * taps, kernels.panel());
    this.turnedRows = tapRows.clone();
    for (int k = 0; k < taps; k++) {
      turnedRows[k] = tapRows[taps - 1 - k];
    }
    this.tapPanels = new float[AT_ONCE * taps * kernels.panel()];
    this.scratch = new float[filtering.scratch(kernels)];
    this.tile = new float[kernels.tile()];
  }

  int pointStride() {
    return pointStride;
  }

  /** Floats of all points. */
  int size() {
    return Math.multiplyExact(filtering.products(), pointStride);
  }

  /** For the forward pass: the panel of outputs from {@code o} on, inputs [from, to). */
  void transform(Step step, int o, int from, int to, float[] u, int at) {
    int panel = kernels.panel();
    int first = binding.parameterOffsets()[0] + o * inputs * taps;
    for (int c = from; c < to; c += AT_ONCE) {
      int count = Math.min(AT_ONCE, to - c);
      kernels.toColumns(
          step.parameters(),
          first + c * taps,
          inputs * taps,
          count * taps,
          tapPanels,
          tapRows,
          0,
          0,
          tile);
      for (int i = 0; i < count; i++) {
        int row = at + (c - from + i) * panel;
        kernels
            .tiles()
            .weights(filtering, tapPanels, i * taps * panel, u, row, pointStride, scratch);
      }
    }
  }

  /**
   * For the input's gradient: the panel of inputs from {@code c} on, outputs [from, to), kernels
   * turned round.
   */
  void transformTurned(Step step, int c, int from, int to, float[] u, int at) {
    for (int o = from; o < to; o++) {
      transform(step, c, o, turnedRows, u, at + (o - from) * kernels.panel(), pointStride);
    }
  }

  /** One output's kernels for the panel of inputs from {@code c} on. */
  void transform(Step step, int c, int o, float[] u, int at, int stride) {
    transform(step, c, o, tapRows, u, at, stride);
  }

  private void transform(Step step, int c, int o, int[] rows, float[] u, int at, int stride) {
    int first = binding.parameterOffsets()[0] + (o * inputs + c) * taps;
    kernels.toColumns(step.parameters(), first, taps, taps, tapPanels, rows, 0, 0, tile);
    kernels.tiles().weights(filtering, tapPanels, 0, u, at, stride, scratch);
  }

  /** Leaves the weight gradient of the panel of inputs from {@code c} on, outputs [from, to). */
  void gradient(float[] u, int at, Step step, int c, int from, int to) {
    int first = binding.parameterOffsets()[0] + c * taps;
    for (int o = from; o < to; o++) {
      int row = at + (o - from) * kernels.panel();
      kernels.tiles().weightGradient(filtering, u, row, pointStride, tapPanels, 0, scratch);
      kernels.toRows(
          tapPanels, tapRows, 0, 0, taps, step.gradient(), first + o * inputs * taps, taps, tile);
    }
  }
}

package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.Product;
import dev.grapevine.engine.kernel.Rows;
import java.util.Arrays;

/**
 * dW[tap][o] = Σ_p x[window(p) + tap] · dy[p][o], summed over output pixels p in runs of a few
 * image rows: a run of dy is packed in panels, the matching values of x are laid out tap by tap,
 * and the product of the two is added to the packed gradient.
 *
 * <p>To lay out x cheaply it is first turned into planes of single channels, in which the values
 * that one tap meets along an output row are neighbours.
 */
final class ConvWeightGradient {

  /** Pixels per run, unless one row is longer. */
  private static final int RUN = 256;

  /** Taps laid out at once, so that they stay in the second-level cache. */
  private static final int TAPS = 240;

  /** A margin for copies of whole vectors. */
  private static final int SLACK = 16;

  private final Conv2d conv;
  private final Binding binding;
  private final Kernels kernels;
  private final WeightOrder order;
  private final ChannelPlanes planes;
  private final int[] gradientRows;
  private final int windowSize;
  private final int width;
  private final int height;
  private final int rowsPerRun;

  /** From tap to tap; no power of two, so that taps fall in different cache sets. */
  private final int stride;

  private final int[] laidOutRows;
  private final float[] laidOut;
  private final float[] packedGradient;
  private final float[] packedOutput;
  private final float[] biasGradient;
  private final float[] sampleBias;
  private final float[] tile;

  ConvWeightGradient(Conv2d conv, Binding binding, WeightOrder order) {
    this.conv = conv;
    this.binding = binding;
    this.kernels = binding.kernels();
    this.order = order;
    this.planes = new ChannelPlanes(conv, binding, SLACK);
    this.windowSize = conv.kernel() * conv.kernel() * conv.input().channels();
    this.width = conv.output().width();
    this.height = conv.output().height();
    this.rowsPerRun = Math.max(1, RUN / width);
    this.stride = Math.max(RUN, width) + SLACK;
    this.gradientRows = Rows.evenly(windowSize, kernels.panel());
    this.laidOutRows = Rows.evenly(TAPS, stride);
    this.laidOut = new float[(TAPS + Rows.BLOCK) * stride];
    this.packedGradient = new float[Product.packedSize(kernels, windowSize, conv.outputs())];
    this.packedOutput =
        new float[Product.packedSize(kernels, binding.capacity() * height * width, conv.outputs())];
    this.biasGradient = new float[conv.outputs()];
    this.sampleBias = new float[conv.outputs()];
    this.tile = new float[kernels.tile()];
  }

  void clear() {
    Arrays.fill(packedGradient, 0f);
    Arrays.fill(biasGradient, 0f);
  }

  void add(int from, int to) {
    packOutput(from, to);
    planes.fill(from, to);
    if (conv.bias()) {
      addBias(from, to);
    }
    int panel = kernels.panel();
    int rows = (to - from) * height;
    for (int row = 0; row < rows; row += rowsPerRun) {
      int runRows = Math.min(rowsPerRun, rows - row);
      // A last block that is not full repeats the last tap, as the table of rows does.
      for (int tap = 0; tap < windowSize; tap += TAPS) {
        int taps = Math.min(TAPS, windowSize - tap);
        for (int i = 0; i < Rows.roundUp(taps); i++) {
          kernels.copyRuns(
              planes.data(),
              planes.rows(),
              row,
              planes.tap(Math.min(tap + i, windowSize - 1)),
              runRows,
              width,
              laidOut,
              i * stride);
        }
        for (int o = 0; o < conv.outputs(); o += panel) {
          kernels.rows(
              laidOut,
              laidOutRows,
              0,
              0,
              packedOutput,
              (o * rows + row * panel) * width,
              runRows * width,
              packedGradient,
              gradientRows,
              tap,
              o * windowSize,
              taps,
              panel,
              true,
              null,
              0,
              tile);
        }
      }
    }
  }

  /** The gradient of the output, margin left out, as [outputs/panel][pixels][panel]. */
  private void packOutput(int from, int to) {
    Plane dy = binding.output().requireGradient();
    int panel = kernels.panel();
    for (int o = 0; o < conv.outputs(); o += panel) {
      int target = o * (to - from) * height * width;
      for (int n = from; n < to; n++) {
        for (int row = 0; row < dy.height(); row++) {
          kernels.packPanel(
              dy.data(),
              dy.at(n, row, 0) + o,
              dy.channels(),
              dy.width(),
              conv.outputs() - o,
              packedOutput,
              target);
          target += dy.width() * panel;
        }
      }
    }
  }

  /** Summed up sample by sample: fewer digits are lost than in one long sum. */
  private void addBias(int from, int to) {
    Plane dy = binding.output().requireGradient();
    for (int n = from; n < to; n++) {
      Arrays.fill(sampleBias, 0f);
      for (int row = 0; row < dy.height(); row++) {
        kernels
            .channels()
            .sums(dy.data(), dy.at(n, row, 0), dy.width(), dy.channels(), sampleBias, 0);
      }
      kernels.add(sampleBias, 0, biasGradient, 0, conv.outputs());
    }
  }

  void finish(Step step) {
    order.unpack(packedGradient, step.gradient(), binding.parameterOffsets()[0]);
    if (conv.bias()) {
      System.arraycopy(
          biasGradient, 0, step.gradient(), binding.parameterOffsets()[1], conv.outputs());
    }
  }
}

package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.Product;
import dev.grapevine.engine.kernel.Rows;
import java.util.Arrays;

/**
 * dW[tap][o] = Σ_p x[window(p) + tap] · dy[p][o], summed over output pixels p in runs: a run of dy
 * is packed in panels, the matching values of x are gathered tap by tap, and the product of the two
 * is added to the packed gradient.
 */
final class ConvWeightGradient {

  /** Pixels per run. */
  private static final int RUN = 256;

  /** Taps gathered at once, so that they stay in the second-level cache. */
  private static final int TAPS = 240;

  /** Not a power of two, so that the rows of the gathered block fall in different cache sets. */
  private static final int STRIDE = RUN + 16;

  private static final int[] GATHERED_ROWS = Rows.evenly(TAPS, STRIDE);

  private final Conv2d conv;
  private final Binding binding;
  private final Kernels kernels;
  private final int[] windows;
  private final int[] windowTaps;
  private final int[] gradientRows;
  private final int windowSize;
  private final int pixels;
  private final float[] packedGradient;
  private final float[] packedOutput;
  private final float[] gathered = new float[(TAPS + Rows.BLOCK) * STRIDE];
  private final float[] biasGradient;
  private final float[] sampleBias;
  private final float[] tile;

  ConvWeightGradient(Conv2d conv, Binding binding, int[] windows, int[] windowTaps) {
    this.conv = conv;
    this.binding = binding;
    this.kernels = binding.kernels();
    this.windows = windows;
    this.windowTaps = windowTaps;
    this.windowSize = conv.kernel() * conv.kernel() * conv.input().channels();
    this.pixels = conv.output().height() * conv.output().width();
    this.gradientRows = Rows.evenly(windowSize, kernels.panel());
    this.packedGradient = new float[Product.packedSize(kernels, windowSize, conv.outputs())];
    this.packedOutput =
        new float[Product.packedSize(kernels, binding.capacity() * pixels, conv.outputs())];
    this.biasGradient = new float[conv.outputs()];
    this.sampleBias = new float[conv.outputs()];
    this.tile = new float[kernels.tile()];
  }

  void clear() {
    Arrays.fill(packedGradient, 0f);
    Arrays.fill(biasGradient, 0f);
  }

  void add(int from, int to) {
    int count = (to - from) * pixels;
    packOutput(from, to, count);
    if (conv.bias()) {
      addBias(from, to);
    }
    float[] x = binding.input().value().data();
    int panel = kernels.panel();
    int first = from * pixels;
    for (int p = 0; p < count; p += RUN) {
      int run = Math.min(RUN, count - p);
      for (int tap = 0; tap < windowSize; tap += TAPS) {
        int taps = Math.min(TAPS, windowSize - tap);
        for (int i = 0; i < taps; i += Rows.BLOCK) {
          kernels.gatherBlock(
              x, windowTaps, tap + i, windows, first + p, run, gathered, i * STRIDE, STRIDE);
        }
        for (int o = 0; o < conv.outputs(); o += panel) {
          kernels.rows(
              gathered,
              GATHERED_ROWS,
              0,
              0,
              packedOutput,
              (o / panel * count + p) * panel,
              run,
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
  private void packOutput(int from, int to, int count) {
    Plane dy = binding.output().requireGradient();
    int panel = kernels.panel();
    for (int o = 0; o < conv.outputs(); o += panel) {
      int target = o / panel * count * panel;
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
    WeightOrder.unpack(
        packedGradient,
        kernels.panel(),
        step.gradient(),
        binding.parameterOffsets()[0],
        conv.outputs(),
        conv.input().channels(),
        conv.kernel() * conv.kernel());
    if (conv.bias()) {
      System.arraycopy(
          biasGradient, 0, step.gradient(), binding.parameterOffsets()[1], conv.outputs());
    }
  }
}

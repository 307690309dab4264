package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.Product;
import dev.grapevine.engine.kernel.Rows;
import org.jspecify.annotations.Nullable;

/**
 * {@link Conv2d} at work: a direct convolution, that is, a product whose left rows are the windows
 * of the image, read in place. Window values and weights are ordered kernel row, kernel column,
 * channel.
 */
final class ConvPass implements Pass {

  /** Below so many values per window row windows are laid out before the product. */
  private static final int SHORT_WINDOW_ROW = 40;

  /** Windows laid out at once; a multiple of {@link Rows#BLOCK}. */
  private static final int LAID_OUT = 48;

  /** A margin for copies of whole vectors. */
  private static final int SLACK = 16;

  private final Binding binding;
  private final Conv2d conv;
  private final Kernels kernels;
  private final Product product;
  private final int inputs;
  private final int outputs;
  private final int windowSize;
  private final int pixels;

  /**
   * Output pixel (of the whole batch) to the start of its window, and to its place in the output.
   */
  private final int[] windows;

  private final int[] outputPixels;

  /** Where the rows of the windows start that are laid out, and where they are laid out. */
  private final int[] windowRows;

  private final int[] laidOutRows;
  private final float[] laidOutWindows;

  private final WeightOrder order;
  private final float[] packedWeights;
  private final float @Nullable [] packedBias;
  private final float[] tile;
  private final ConvWeightGradient weightGradient;
  private final @Nullable ConvInputGradient inputGradient;

  ConvPass(Conv2d conv, Binding binding) {
    this.conv = conv;
    this.binding = binding;
    this.kernels = binding.kernels();
    this.product = new Product(kernels);
    this.inputs = conv.input().channels();
    this.outputs = conv.outputs();
    this.windowSize = conv.kernel() * conv.kernel() * inputs;
    this.pixels = conv.output().height() * conv.output().width();
    this.windows = windows();
    this.outputPixels = pixelTable(binding.output().value());
    int laidOut = hasShortRows() ? LAID_OUT : 0;
    this.windowRows = new int[laidOut * conv.kernel()];
    this.laidOutRows = Rows.evenly(laidOut, windowSize);
    this.laidOutWindows = new float[laidOut * windowSize + SLACK];
    this.order = new WeightOrder(kernels, outputs, inputs, conv.kernel() * conv.kernel());
    this.packedWeights = new float[Product.packedSize(kernels, windowSize, outputs)];
    this.packedBias =
        conv.bias() ? new float[Product.panels(kernels, outputs) * kernels.panel()] : null;
    this.tile = new float[kernels.tile()];
    this.weightGradient = new ConvWeightGradient(conv, binding, order);
    this.inputGradient =
        binding.input().hasGradient() ? new ConvInputGradient(conv, binding) : null;
  }

  private int[] windows() {
    Plane x = binding.input().value();
    int[] starts = new int[binding.capacity() * pixels];
    int p = 0;
    for (int n = 0; n < binding.capacity(); n++) {
      for (int row = 0; row < conv.output().height(); row++) {
        for (int column = 0; column < conv.output().width(); column++) {
          starts[p++] =
              x.at(
                  n, row * conv.stride() - conv.padding(), column * conv.stride() - conv.padding());
        }
      }
    }
    return Rows.padded(starts);
  }

  private int[] pixelTable(Plane y) {
    int[] offsets = new int[binding.capacity() * pixels];
    int p = 0;
    for (int n = 0; n < binding.capacity(); n++) {
      for (int row = 0; row < y.height(); row++) {
        for (int column = 0; column < y.width(); column++) {
          offsets[p++] = y.at(n, row, column);
        }
      }
    }
    return Rows.padded(offsets);
  }

  @Override
  public void prepare(Step step) {
    order.pack(step.parameters(), binding.parameterOffsets()[0], packedWeights);
    if (packedBias != null) {
      System.arraycopy(step.parameters(), binding.parameterOffsets()[1], packedBias, 0, outputs);
    }
    if (step.training()) {
      weightGradient.clear();
      if (inputGradient != null) {
        inputGradient.prepare(step);
      }
    }
  }

  @Override
  public void forward(Step step, int from, int to) {
    Plane x = binding.input().value();
    Plane y = binding.output().value();
    int first = from * pixels;
    int count = (to - from) * pixels;
    if (hasShortRows()) {
      layOut(x, x.shift(from), y, y.shift(from), first, count);
    } else {
      product.multiply(
          x.data(),
          windows,
          x.shift(from),
          conv.kernel(),
          x.rowStride(),
          conv.kernel() * inputs,
          packedWeights,
          0,
          outputs,
          y.data(),
          outputPixels,
          y.shift(from),
          first,
          count,
          false,
          packedBias);
    }
  }

  private boolean hasShortRows() {
    return conv.kernel() * inputs < SHORT_WINDOW_ROW && conv.kernel() > 1;
  }

  /** A few windows at a time are laid out one after the other, in the first-level cache. */
  private void layOut(Plane x, int xShift, Plane y, int yShift, int first, int count) {
    int kernel = conv.kernel();
    for (int p = first; p < first + count; p += LAID_OUT) {
      int windowCount = Math.min(LAID_OUT, first + count - p);
      // A last block that is not full repeats the last window, as the table of windows does.
      int rows = Rows.roundUp(windowCount);
      for (int i = 0; i < rows; i++) {
        for (int row = 0; row < kernel; row++) {
          windowRows[i * kernel + row] = windows[p + i] + xShift + row * x.rowStride();
        }
      }
      kernels.copyRuns(
          x.data(), windowRows, 0, 0, rows * kernel, kernel * inputs, laidOutWindows, 0);
      for (int o = 0; o < outputs; o += kernels.panel()) {
        kernels.rows(
            laidOutWindows,
            laidOutRows,
            0,
            0,
            packedWeights,
            o * windowSize,
            windowSize,
            y.data(),
            outputPixels,
            p,
            yShift + o,
            windowCount,
            outputs - o,
            false,
            packedBias,
            o,
            tile);
      }
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    weightGradient.add(from, to);
    if (inputGradient != null) {
      inputGradient.compute(from, to);
    }
  }

  @Override
  public void finish(Step step) {
    weightGradient.finish(step);
  }
}

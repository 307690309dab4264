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

  /** Below so many values per window row all taps of a window are walked by a table instead. */
  private static final int SHORT_WINDOW_ROW = 40;

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

  /** Value of a window to its offset from the window's start. */
  private final int[] windowTaps;

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
    this.windowTaps = windowTaps();
    this.packedWeights = new float[Product.packedSize(kernels, windowSize, outputs)];
    this.packedBias =
        conv.bias() ? new float[Product.panels(kernels, outputs) * kernels.panel()] : null;
    this.tile = new float[kernels.tile()];
    this.weightGradient = new ConvWeightGradient(conv, binding);
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

  private int[] windowTaps() {
    int rowLength = conv.kernel() * inputs;
    int[] taps = new int[windowSize];
    for (int i = 0; i < windowSize; i++) {
      taps[i] = i / rowLength * binding.input().value().rowStride() + i % rowLength;
    }
    return Rows.padded(taps);
  }

  @Override
  public void prepare(Step step) {
    WeightOrder.pack(
        step.parameters(),
        binding.parameterOffsets()[0],
        outputs,
        inputs,
        conv.kernel() * conv.kernel(),
        kernels.panel(),
        packedWeights);
    WeightOrder.pack(
        step.parameters(),
        binding.parameterOffsets()[0],
        outputs,
        inputs,
        conv.kernel() * conv.kernel(),
        kernels.panel(),
        packedWeights);
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
    float[] y = binding.output().value().data();
    int first = from * pixels;
    int count = (to - from) * pixels;
    if (conv.kernel() * inputs < SHORT_WINDOW_ROW && conv.kernel() > 1) {
      int panel = kernels.panel();
      for (int o = 0; o < outputs; o += panel) {
        kernels.rowsAt(
            x.data(),
            windows,
            first,
            windowTaps,
            0,
            packedWeights,
            o * windowSize,
            windowSize,
            y,
            outputPixels,
            first,
            o,
            count,
            outputs - o,
            false,
            packedBias,
            o,
            tile);
      }
    } else {
      product.multiply(
          x.data(),
          windows,
          0,
          conv.kernel(),
          x.rowStride(),
          conv.kernel() * inputs,
          packedWeights,
          0,
          outputs,
          y,
          outputPixels,
          0,
          first,
          count,
          false,
          packedBias);
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

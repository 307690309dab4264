package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.MinimalFiltering;
import dev.grapevine.engine.kernel.Rows;
import dev.grapevine.engine.kernel.StripKernels;

/**
 * {@link Conv2d} at work by {@link MinimalFiltering} down the columns and directly along the rows,
 * for a model's first layer with its few channels: windows along a row of points are read in place,
 * {@code kernel · inputs} neighbouring values each. Has no gradient for its input.
 *
 * <p>A strip is one tile high and as wide as the image. A few strips of one sample pass together.
 */
final class StripConvPass implements Pass {

  /** Rows of a product that pay for its start; what they need stays near the first-level cache. */
  private static final int ROWS = 64;

  /** A multiple of any number of lanes. */
  private static final int LANES = 16;

  private final Conv2d conv;
  private final MinimalFiltering filtering;
  private final Binding binding;
  private final Kernels kernels;
  private final StripKernels strips;
  private final BiasGradient bias;
  private final TileGrid grid;
  private final int panel;
  private final int taps;
  private final int depth;
  private final int width;

  /** Strips that pass together. */
  private final int block;

  /** Floats of an input row with its padding, and from one strip of points to the next. */
  private final int rowFloats;

  private final int stripStride;
  private final int inputPoint;
  private final int outputPoint;
  private final int weightPoint;

  /** Output pixel of a block to its window among the points, and to its place in a product. */
  private final int[] windows;

  private final int[] productRows;

  /** [inputs][taps][panel of outputs], and where its rows start. */
  private final float[] tapPanels;

  private final int[] tapRows;

  /** [point][panel of outputs][kernel column][input][panel]; likewise the gradient. */
  private final float[] transformed;

  private final float[] gradient;
  private boolean gradientStarted;

  /** Rows of pixels of a last strip that is not whole. */
  private final float[] edge;

  private final float[] tile;

  StripConvPass(Conv2d conv, MinimalFiltering filtering, Binding binding) {
    this.conv = conv;
    this.filtering = filtering;
    this.binding = binding;
    this.kernels = binding.kernels();
    this.strips = kernels.strips();
    this.bias = new BiasGradient(conv, binding);
    this.grid = TileGrid.of(filtering, conv.output());
    this.panel = kernels.panel();
    int inputs = conv.input().channels();
    this.taps = conv.kernel() * conv.kernel();
    this.depth = conv.kernel() * inputs;
    this.width = conv.output().width();
    this.block = Math.clamp(ROWS / width, 1, grid.down());
    this.rowFloats = (width + conv.kernel() - 1) * inputs;
    this.stripStride = rowFloats / LANES * LANES + 2 * LANES;
    this.inputPoint = block * stripStride;
    this.outputPoint = (block * width + Rows.BLOCK) * conv.outputs();
    this.weightPoint = depth * conv.outputs() + panel;
    this.windows = windows(inputs);
    this.productRows = Rows.evenly(block * width, panel);
    int columns = (inputs * taps + LANES - 1) / LANES * LANES;
    this.tapPanels = new float[columns * panel];
    this.tapRows = Rows.evenly(columns, panel);
    this.transformed = new float[filtering.tile() * weightPoint];
    this.gradient = new float[filtering.tile() * weightPoint];
    this.edge = new float[filtering.outputs() * width * panel];
    this.tile = new float[kernels.tile()];
    Scratch scratch = binding.scratch();
    scratch.reserve(Scratch.Use.TRANSFORMED_INPUT, filtering.tile() * inputPoint + LANES);
    scratch.reserve(Scratch.Use.TRANSFORMED_OUTPUT, filtering.tile() * outputPoint);
  }

  private int[] windows(int inputs) {
    int[] starts = new int[block * width];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = i / width * stripStride + i % width * inputs;
    }
    return Rows.padded(starts);
  }

  @Override
  public void prepare(Step step) {
    int inputs = conv.input().channels();
    for (int o = 0; o < conv.outputs(); o += panel) {
      kernels.toColumns(
          step.parameters(),
          binding.parameterOffsets()[0] + o * inputs * taps,
          inputs * taps,
          inputs * taps,
          tapPanels,
          tapRows,
          0,
          0,
          tile);
      for (int c = 0; c < inputs; c++) {
        strips.weights(
            filtering,
            tapPanels,
            c * taps * panel,
            transformed,
            o * depth + c * panel,
            weightPoint,
            inputs * panel);
      }
    }
    bias.prepare(step);
    gradientStarted = false;
  }

  @Override
  public void forward(Step step, int from, int to) {
    for (int n = from; n < to; n++) {
      for (int strip = 0; strip < grid.down(); strip += block) {
        int count = Math.min(block, grid.down() - strip);
        transformInput(n, strip, count);
        for (int o = 0; o < conv.outputs(); o += panel) {
          multiply(o, count);
          for (int i = 0; i < count; i++) {
            transformOutput(n, strip + i, i, o);
          }
        }
      }
    }
  }

  private void transformInput(int n, int strip, int count) {
    Plane x = binding.input().value();
    float[] v = binding.scratch().floats(Scratch.Use.TRANSFORMED_INPUT);
    for (int i = 0; i < count; i++) {
      strips.input(
          filtering,
          x.data(),
          x.at(n, (strip + i) * filtering.outputs() - conv.padding(), -conv.padding()),
          x.rowStride(),
          rowFloats,
          v,
          i * stripStride,
          inputPoint);
    }
  }

  private void multiply(int o, int count) {
    float[] v = binding.scratch().floats(Scratch.Use.TRANSFORMED_INPUT);
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    for (int k = 0; k < filtering.tile(); k++) {
      kernels.rows(
          v,
          windows,
          0,
          k * inputPoint,
          transformed,
          k * weightPoint + o * depth,
          depth,
          z,
          productRows,
          0,
          k * outputPoint,
          count * width,
          panel,
          false,
          null,
          0,
          tile);
    }
  }

  private void transformOutput(int n, int strip, int i, int o) {
    Plane y = binding.output().value();
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    int row = strip * filtering.outputs();
    int rows = Math.min(filtering.outputs(), y.height() - row);
    boolean whole = rows == filtering.outputs();
    strips.output(
        filtering,
        z,
        i * width * panel,
        outputPoint,
        width,
        whole ? y.data() : edge,
        whole ? y.at(n, row, 0) + o : 0,
        whole ? y.rowStride() : width * panel,
        whole ? y.channels() : panel,
        bias.values(),
        o);
    for (int r = 0; r < rows && !whole; r++) {
      for (int column = 0; column < width; column++) {
        System.arraycopy(
            edge, (r * width + column) * panel, y.data(), y.at(n, row + r, column) + o, panel);
      }
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    bias.add(from, to);
    Plane dy = binding.output().requireGradient();
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    for (int n = from; n < to; n++) {
      for (int strip = 0; strip < grid.down(); strip += block) {
        int count = Math.min(block, grid.down() - strip);
        transformInput(n, strip, count);
        for (int i = 0; i < count; i++) {
          strips.gradient(
              filtering,
              dy.data(),
              dy.at(n, (strip + i) * filtering.outputs(), 0),
              dy.rowStride(),
              width * conv.outputs(),
              z,
              i * width * conv.outputs(),
              outputPoint);
        }
        for (int i = 0; i < count; i++) {
          addProducts(i);
        }
      }
    }
  }

  /** The share of one strip in the weights' gradient. */
  private void addProducts(int i) {
    float[] v = binding.scratch().floats(Scratch.Use.TRANSFORMED_INPUT);
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    for (int k = 0; k < filtering.tile(); k++) {
      for (int o = 0; o < conv.outputs(); o += panel) {
        strips.outer(
            v,
            k * inputPoint + i * stripStride,
            conv.input().channels(),
            z,
            k * outputPoint + i * width * conv.outputs() + o,
            conv.outputs(),
            width,
            gradient,
            k * weightPoint + o * depth,
            depth,
            gradientStarted);
      }
    }
    gradientStarted = true;
  }

  @Override
  public void finish(Step step) {
    int inputs = conv.input().channels();
    for (int o = 0; o < conv.outputs(); o += panel) {
      for (int c = 0; c < inputs; c++) {
        strips.weightGradient(
            filtering,
            gradient,
            o * depth + c * panel,
            weightPoint,
            inputs * panel,
            tapPanels,
            c * taps * panel);
      }
      kernels.toRows(
          tapPanels,
          tapRows,
          0,
          0,
          inputs * taps,
          step.gradient(),
          binding.parameterOffsets()[0] + o * inputs * taps,
          inputs * taps,
          tile);
    }
    bias.finish(step);
  }
}

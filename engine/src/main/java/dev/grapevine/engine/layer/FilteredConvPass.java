package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.MinimalFiltering;

/**
 * {@link Conv2d} at work by {@link MinimalFiltering}, for layers whose transformed weights stay in
 * the cache. Tiles, numbered over the whole batch, pass in blocks that stay in the second-level
 * cache: transformed, multiplied point by point, transformed back.
 *
 * <p>The transformed input is kept for the weight gradient if that takes no more than {@link
 * FilteringRule#MOST_KEPT} floats, else computed again; the bits are the same.
 */
final class FilteredConvPass implements Pass {

  private final Conv2d conv;
  private final MinimalFiltering filtering;
  private final Binding binding;
  private final Kernels kernels;
  private final TileTransforms tiles;
  private final FilteredWeights weights;
  private final BiasGradient bias;
  private final int inputs;
  private final int outputs;
  private final int panel;
  private final TileGrid outputGrid;
  private final TileGrid inputGrid;
  private final float[] transformed;

  /** Takes turns with the weights for the forward pass, which are then of no more use. */
  private boolean holdsTurned;

  private final float[] gradient;
  private boolean gradientStarted;
  private float[] kept = {};
  private boolean isKept;

  FilteredConvPass(Conv2d conv, MinimalFiltering filtering, Binding binding) {
    this.conv = conv;
    this.filtering = filtering;
    this.binding = binding;
    this.kernels = binding.kernels();
    this.inputs = conv.input().channels();
    this.outputs = conv.outputs();
    this.panel = kernels.panel();
    this.tiles = new TileTransforms(filtering, kernels, FilteringRule.block(conv));
    this.weights = new FilteredWeights(conv, filtering, binding, inputs * outputs);
    this.bias = new BiasGradient(conv, binding);
    this.outputGrid = TileGrid.of(filtering, conv.output());
    this.inputGrid = TileGrid.of(filtering, conv.input());
    this.transformed = new float[weights.size()];
    this.gradient = new float[weights.size()];
    int larger = tiles.blockSize(Math.max(inputs, outputs));
    binding.scratch().reserve(Scratch.Use.TRANSFORMED_INPUT, larger);
    binding.scratch().reserve(Scratch.Use.TRANSFORMED_OUTPUT, larger);
  }

  @Override
  public void prepare(Step step) {
    for (int o = 0; o < outputs; o += panel) {
      weights.transform(step, o, 0, inputs, transformed, o * inputs);
    }
    holdsTurned = false;
    gradientStarted = false;
    bias.prepare(step);
    isKept = false;
    if (step.training()) {
      int count = step.samples() * outputGrid.perSample();
      int blocks = (count + tiles.block() - 1) / tiles.block();
      long size = (long) blocks * tiles.blockSize(inputs);
      isKept = size <= FilteringRule.MOST_KEPT;
      if (isKept && kept.length < size) {
        kept = new float[(int) size];
      }
    }
  }

  @Override
  public void forward(Step step, int from, int to) {
    Plane x = binding.input().value();
    Plane y = binding.output().value();
    int end = to * outputGrid.perSample();
    for (int tile = from * outputGrid.perSample(); tile < end; tile = nextBlock(tile)) {
      int count = Math.min(nextBlock(tile), end) - tile;
      float[] v = transformedInput();
      int at = transformedInputAt(tile);
      tiles.input(x, outputGrid, conv.padding(), tile, count, v, at);
      multiply(v, at, inputs, outputs, count);
      transformOutput(y, outputGrid, tile, count, bias.values());
    }
  }

  private int nextBlock(int tile) {
    return (tile / tiles.block() + 1) * tiles.block();
  }

  private float[] transformedInput() {
    return isKept ? kept : binding.scratch().floats(Scratch.Use.TRANSFORMED_INPUT);
  }

  private int transformedInputAt(int tile) {
    int start = isKept ? tile / tiles.block() * tiles.blockSize(inputs) : 0;
    return start + tile % tiles.block() * panel;
  }

  private void multiply(float[] v, int vAt, int from, int to, int count) {
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    for (int k = 0; k < filtering.products(); k++) {
      for (int o = 0; o < to; o += panel) {
        kernels
            .tiles()
            .times(
                v,
                vAt + k * tiles.pointStride(),
                from / panel,
                tiles.panelStride(),
                transformed,
                k * weights.pointStride() + o * from,
                z,
                k * tiles.pointStride() + o / panel * tiles.panelStride(),
                count,
                false);
      }
    }
  }

  private void transformOutput(Plane image, TileGrid grid, int first, int count, float[] start) {
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    for (int c = 0; c < image.channels(); c += panel) {
      tiles.output(z, c / panel * tiles.panelStride(), image, grid, c, first, count, start);
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    bias.add(from, to);
    weightGradient(from, to);
    if (binding.input().hasGradient()) {
      inputGradient(step, from, to);
    }
  }

  private void weightGradient(int from, int to) {
    Plane x = binding.input().value();
    Plane dy = binding.output().requireGradient();
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    int end = to * outputGrid.perSample();
    for (int tile = from * outputGrid.perSample(); tile < end; tile = nextBlock(tile)) {
      int count = Math.min(nextBlock(tile), end) - tile;
      float[] v = transformedInput();
      int at = transformedInputAt(tile);
      if (!isKept) {
        tiles.input(x, outputGrid, conv.padding(), tile, count, v, at);
      }
      for (int o = 0; o < outputs; o += panel) {
        tiles.gradient(dy, outputGrid, o, tile, count, z, o / panel * tiles.panelStride());
      }
      for (int k = 0; k < filtering.products(); k++) {
        for (int c = 0; c < inputs; c += panel) {
          for (int o = 0; o < outputs; o += panel) {
            kernels
                .tiles()
                .outer(
                    z,
                    k * tiles.pointStride() + o / panel * tiles.panelStride(),
                    v,
                    at + k * tiles.pointStride() + c / panel * tiles.panelStride(),
                    count,
                    gradient,
                    k * weights.pointStride() + c * outputs + o * panel,
                    gradientStarted);
          }
        }
      }
      gradientStarted = true;
    }
  }

  private void inputGradient(Step step, int from, int to) {
    if (!holdsTurned) {
      for (int c = 0; c < inputs; c += panel) {
        weights.transformTurned(step, c, 0, outputs, transformed, c * outputs);
      }
      holdsTurned = true;
    }
    Plane dy = binding.output().requireGradient();
    Plane dx = binding.input().requireGradient();
    float[] v = binding.scratch().floats(Scratch.Use.TRANSFORMED_INPUT);
    int shift = conv.kernel() - 1 - conv.padding();
    int end = to * inputGrid.perSample();
    for (int tile = from * inputGrid.perSample(); tile < end; tile += tiles.block()) {
      int count = Math.min(tiles.block(), end - tile);
      tiles.input(dy, inputGrid, shift, tile, count, v, 0);
      multiply(v, 0, outputs, inputs, count);
      transformOutput(dx, inputGrid, tile, count, bias.none());
    }
  }

  @Override
  public void finish(Step step) {
    for (int c = 0; c < inputs; c += panel) {
      weights.gradient(gradient, c * outputs, step, c, 0, outputs);
    }
    bias.finish(step);
  }
}

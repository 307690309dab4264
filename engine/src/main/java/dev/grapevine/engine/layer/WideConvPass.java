package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.MinimalFiltering;

/**
 * {@link Conv2d} at work by {@link MinimalFiltering}, for layers with so many channels that their
 * transformed weights would not stay in the cache. Blocks hold more tiles instead, and one piece of
 * a panel of outputs after the other has its weights transformed, used and forgotten: a workspace
 * holds one piece of them, whatever the number of such layers.
 *
 * <p>The layer takes whole batches, so that weights are transformed as rarely as possible.
 */
final class WideConvPass implements Pass {

  /** Channels of a piece: what a product reads of both sides stays in the first-level cache. */
  static final int PIECE = 128;

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
  private final WideForward byTiles;

  WideConvPass(Conv2d conv, MinimalFiltering filtering, Binding binding) {
    this.conv = conv;
    this.filtering = filtering;
    this.binding = binding;
    this.kernels = binding.kernels();
    this.inputs = conv.input().channels();
    this.outputs = conv.outputs();
    this.panel = kernels.panel();
    int wider = Math.max(inputs, outputs);
    this.tiles = new TileTransforms(filtering, kernels, FilteringRule.wideBlock(filtering, wider));
    this.weights = new FilteredWeights(conv, filtering, binding, PIECE * panel);
    this.bias = new BiasGradient(conv, binding);
    this.outputGrid = TileGrid.of(filtering, conv.output());
    this.inputGrid = TileGrid.of(filtering, conv.input());
    Scratch scratch = binding.scratch();
    scratch.reserve(Scratch.Use.TRANSFORMED_INPUT, tiles.blockSize(wider));
    scratch.reserve(Scratch.Use.TRANSFORMED_OUTPUT, tiles.blockSize(panel));
    scratch.reserve(Scratch.Use.TRANSFORMED_WEIGHTS, weights.size());
    this.byTiles = new WideForward(conv, filtering, binding, tiles, weights, bias);
  }

  @Override
  public void prepare(Step step) {
    bias.prepare(step);
  }

  @Override
  public void forward(Step step, int from, int to) {
    Plane x = binding.input().value();
    Plane y = binding.output().value();
    float[] v = binding.scratch().floats(Scratch.Use.TRANSFORMED_INPUT);
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    float[] u = binding.scratch().floats(Scratch.Use.TRANSFORMED_WEIGHTS);
    int last = to * outputGrid.perSample();
    for (int tile = from * outputGrid.perSample(); tile < last; tile += tiles.block()) {
      int count = Math.min(tiles.block(), last - tile);
      if (byTiles.isPossible(count)) {
        byTiles.forward(step, tile, count);
        continue;
      }
      tiles.input(x, outputGrid, conv.padding(), tile, count, v, 0);
      for (int o = 0; o < outputs; o += panel) {
        for (int c = 0; c < inputs; c += PIECE) {
          int end = Math.min(c + PIECE, inputs);
          weights.transform(step, o, c, end, u, 0);
          multiply(v, c, end, u, count);
        }
        tiles.output(z, 0, y, outputGrid, o, tile, count, bias.values());
      }
    }
  }

  /** The share of channels [from, to) in the products of one panel. */
  private void multiply(float[] v, int from, int to, float[] u, int count) {
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    for (int k = 0; k < filtering.products(); k++) {
      kernels
          .tiles()
          .times(
              v,
              k * tiles.pointStride() + from / panel * tiles.panelStride(),
              (to - from) / panel,
              tiles.panelStride(),
              u,
              k * weights.pointStride(),
              z,
              k * tiles.pointStride(),
              count,
              from > 0);
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    bias.add(from, to);
    weightGradient(step, from, to);
    if (binding.input().hasGradient()) {
      inputGradient(step, from, to);
    }
  }

  private void weightGradient(Step step, int from, int to) {
    Plane x = binding.input().value();
    Plane dy = binding.output().requireGradient();
    float[] v = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_INPUT);
    float[] u = binding.scratch().floats(Scratch.Use.TRANSFORMED_WEIGHTS);
    int start = from * outputGrid.perSample();
    int end = to * outputGrid.perSample();
    boolean isOneBlock = end - start <= tiles.block();
    if (isOneBlock) {
      gradientTiles(dy, 0, outputs, start, end - start, z);
    }
    for (int c = 0; c < inputs; c += panel) {
      if (isOneBlock) {
        tiles.panelOfInput(x, outputGrid, conv.padding(), c, start, end - start, v, 0);
      }
      for (int o = 0; o < outputs; o += PIECE) {
        int pieceEnd = Math.min(o + PIECE, outputs);
        for (int tile = start; tile < end; tile += tiles.block()) {
          int count = Math.min(tiles.block(), end - tile);
          if (!isOneBlock) {
            tiles.panelOfInput(x, outputGrid, conv.padding(), c, tile, count, v, 0);
            gradientTiles(dy, o, pieceEnd, tile, count, z);
          }
          outer(z, o, pieceEnd, v, count, u, tile > start);
        }
        weights.gradient(u, 0, step, c, o, pieceEnd);
      }
    }
  }

  private void gradientTiles(Plane dy, int from, int to, int first, int count, float[] z) {
    for (int o = from; o < to; o += panel) {
      tiles.gradient(dy, outputGrid, o, first, count, z, o / panel * tiles.panelStride());
    }
  }

  private void outer(
      float[] z, int from, int to, float[] v, int count, float[] u, boolean accumulate) {
    for (int k = 0; k < filtering.products(); k++) {
      for (int o = from; o < to; o += panel) {
        kernels
            .tiles()
            .outer(
                z,
                k * tiles.pointStride() + o / panel * tiles.panelStride(),
                v,
                k * tiles.pointStride(),
                count,
                u,
                k * weights.pointStride() + (o - from) * panel,
                accumulate);
      }
    }
  }

  private void inputGradient(Step step, int from, int to) {
    Plane dy = binding.output().requireGradient();
    Plane dx = binding.input().requireGradient();
    float[] v = binding.scratch().floats(Scratch.Use.TRANSFORMED_INPUT);
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    float[] u = binding.scratch().floats(Scratch.Use.TRANSFORMED_WEIGHTS);
    int shift = conv.kernel() - 1 - conv.padding();
    int last = to * inputGrid.perSample();
    for (int tile = from * inputGrid.perSample(); tile < last; tile += tiles.block()) {
      int count = Math.min(tiles.block(), last - tile);
      tiles.input(dy, inputGrid, shift, tile, count, v, 0);
      for (int c = 0; c < inputs; c += panel) {
        for (int o = 0; o < outputs; o += PIECE) {
          int end = Math.min(o + PIECE, outputs);
          weights.transformTurned(step, c, o, end, u, 0);
          multiply(v, o, end, u, count);
        }
        tiles.output(z, 0, dx, inputGrid, c, tile, count, bias.none());
      }
    }
  }

  @Override
  public void finish(Step step) {
    bias.finish(step);
  }
}

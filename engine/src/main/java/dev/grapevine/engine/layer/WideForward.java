package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.MinimalFiltering;
import dev.grapevine.engine.kernel.Rows;

/**
 * The forward pass of {@link WideConvPass} where tiles fill whole panels. Its products are turned
 * round: the lanes of a vector are tiles, and outputs take the place of tiles. So the weights of an
 * output are read as they lie in memory, while vectors of outputs would take them from as many rows
 * far apart. The sums are the same, in the same order.
 */
final class WideForward {

  private final Conv2d conv;
  private final MinimalFiltering filtering;
  private final Binding binding;
  private final Kernels kernels;
  private final TileTransforms tiles;
  private final FilteredWeights weights;
  private final BiasGradient bias;
  private final TileGrid grid;
  private final int inputs;
  private final int panel;

  /** From point to point of transformed weights, and from panel to panel of inputs. */
  private final int weightStride;

  private final int weightPanelStride;
  private final int[] rows;
  private final float[] square;
  private final float[] tile;

  WideForward(
      Conv2d conv,
      MinimalFiltering filtering,
      Binding binding,
      TileTransforms tiles,
      FilteredWeights weights,
      BiasGradient bias) {
    this.conv = conv;
    this.filtering = filtering;
    this.binding = binding;
    this.kernels = binding.kernels();
    this.tiles = tiles;
    this.weights = weights;
    this.bias = bias;
    this.grid = TileGrid.of(filtering, conv.output());
    this.inputs = conv.input().channels();
    this.panel = kernels.panel();
    // A panel more than needed, so that points fall in different cache sets.
    this.weightStride = (panel + 1) * panel;
    this.weightPanelStride = filtering.products() * weightStride;
    this.rows = Rows.evenly(panel, panel);
    this.square = new float[panel * panel];
    this.tile = new float[kernels.tile()];
    int pieces = Math.min(WideConvPass.PIECE, inputs) / panel;
    binding.scratch().reserve(Scratch.Use.TRANSFORMED_WEIGHTS, pieces * weightPanelStride);
  }

  /** Do so many tiles fill panels, and are panels of outputs whole products? */
  boolean isPossible(int count) {
    return count % panel == 0 && panel % kernels.tiles().atOnce() == 0;
  }

  void forward(Step step, int first, int count) {
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    transformInput(first, count);
    for (int o = 0; o < conv.outputs(); o += panel) {
      for (int c = 0; c < inputs; c += WideConvPass.PIECE) {
        multiply(step, o, c, Math.min(c + WideConvPass.PIECE, inputs), count);
      }
      for (int k = 0; k < filtering.products(); k++) {
        for (int i = 0; i < count; i += panel) {
          int at = k * tiles.pointStride() + i * panel;
          turn(z, at, square, 0);
          System.arraycopy(square, 0, z, at, square.length);
        }
      }
      tiles.output(z, 0, binding.output().value(), grid, o, first, count, bias.values());
    }
  }

  /** Leaves tiles as [point][panel of tiles][input][panel]. */
  private void transformInput(int first, int count) {
    float[] v = binding.scratch().floats(Scratch.Use.TRANSFORMED_INPUT);
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    Plane x = binding.input().value();
    for (int c = 0; c < inputs; c += panel) {
      tiles.panelOfInput(x, grid, conv.padding(), c, first, count, z, 0);
      for (int k = 0; k < filtering.products(); k++) {
        for (int i = 0; i < count; i += panel) {
          int from = k * tiles.pointStride() + i * panel;
          turn(z, from, v, (k * count + i) * inputs + c * panel);
        }
      }
    }
  }

  /** Turns a square of one panel by one panel. */
  private void turn(float[] source, int at, float[] target, int to) {
    kernels.toColumns(source, at, panel, panel, target, rows, 0, to, tile);
  }

  /** The share of inputs [from, to) in the products of the panel of outputs from {@code o} on. */
  private void multiply(Step step, int o, int from, int to, int count) {
    float[] v = binding.scratch().floats(Scratch.Use.TRANSFORMED_INPUT);
    float[] z = binding.scratch().floats(Scratch.Use.TRANSFORMED_OUTPUT);
    float[] u = binding.scratch().floats(Scratch.Use.TRANSFORMED_WEIGHTS);
    for (int i = 0; i < panel; i++) {
      for (int c = from; c < to; c += panel) {
        int at = (c - from) / panel * weightPanelStride + i * panel;
        weights.transform(step, c, o + i, u, at, weightStride);
      }
    }
    for (int k = 0; k < filtering.products(); k++) {
      for (int i = 0; i < count; i += panel) {
        kernels
            .tiles()
            .times(
                u,
                k * weightStride,
                (to - from) / panel,
                weightPanelStride,
                v,
                (k * count + i) * inputs + from * panel,
                z,
                k * tiles.pointStride() + i * panel,
                panel,
                from > 0);
      }
    }
  }
}

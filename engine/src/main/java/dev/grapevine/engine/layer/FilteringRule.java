package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.MinimalFiltering;
import dev.grapevine.engine.kernel.TileKernels;
import java.util.Optional;

/**
 * Which convolutions are faster by minimal filtering, and with which tiles. The figures are
 * measured (docs/performance.md) and fixed: a choice made by trying would let results depend on
 * timing. The shape alone chooses the tiles, the batch only whether they are used.
 */
final class FilteringRule {

  /** Fewer channels leave vectors of channels partly empty. */
  private static final int CHANNELS = 16;

  /** From here on transforming the weights of large tiles costs more than it saves. */
  private static final int MANY_WEIGHTS = 1 << 17;

  /** Tiles in a batch that make up for transforming weights. */
  private static final int LEAST_TILES = 12;

  /** Tiles that pass together, unless a layer is wide. */
  private static final int BLOCK = TileKernels.TILES;

  /** The same for heavy layers, whose weights come from further away for every block. */
  private static final int HEAVY_BLOCK = 2 * TileKernels.TILES;

  /**
   * More floats of weights, transformed or in panels, make a layer heavy: they leave no room for
   * anything else in a second-level cache, so a whole batch passes while they are there.
   */
  private static final int HEAVY = 1 << 18;

  /** Values of a window's row that pay for filtering a layer of few channels down its columns. */
  private static final int LEAST_ROW = 10;

  /**
   * Most floats of a layer's transformed input that stay from forward to backward: 1 MiB. To bring
   * more back from memory costs as much as to compute it again.
   */
  static final int MOST_KEPT = 1 << 18;

  /** More floats of transformed weights make a layer wide; a wide block has as many at most. */
  private static final int WIDE = 1 << 20;

  private FilteringRule() {}

  static Optional<MinimalFiltering> tiles(Conv2d conv) {
    if (conv.convolution() == Convolution.DIRECT
        || conv.stride() != 1
        || conv.padding() >= conv.kernel()
        || conv.input().channels() % CHANNELS != 0
        || conv.outputs() % CHANNELS != 0) {
      return Optional.empty();
    }
    return switch (conv.kernel()) {
      case 3 -> {
        boolean small = Math.min(conv.output().height(), conv.output().width()) <= 4;
        boolean large = conv.input().channels() * conv.outputs() > MANY_WEIGHTS;
        yield Optional.of(small && large ? MinimalFiltering.F2_3 : MinimalFiltering.F4_3);
      }
      case 5 -> Optional.of(MinimalFiltering.F4_5);
      default -> Optional.empty();
    };
  }

  /** The tiles of a layer with few channels, which only a model's first layer goes through. */
  static Optional<MinimalFiltering> strips(Conv2d conv) {
    boolean pays =
        conv.convolution() != Convolution.DIRECT
            && conv.stride() == 1
            && conv.kernel() == 5
            && conv.padding() < conv.kernel()
            && conv.input().channels() < CHANNELS
            && conv.kernel() * conv.input().channels() >= LEAST_ROW
            && conv.outputs() % CHANNELS == 0;
    return pays ? Optional.of(MinimalFiltering.F4_5) : Optional.empty();
  }

  /** Do its weights take most of a cache? */
  static boolean isHeavy(Conv2d conv) {
    int perPair = tiles(conv).map(MinimalFiltering::products).orElse(conv.kernel() * conv.kernel());
    return (long) perPair * conv.input().channels() * conv.outputs() > HEAVY;
  }

  /** Tiles that pass a layer together that is not wide. */
  static int block(Conv2d conv) {
    return isHeavy(conv) ? HEAVY_BLOCK : BLOCK;
  }

  /** Does the layer go through {@link WideConvPass}? */
  static boolean isWide(Conv2d conv, MinimalFiltering filtering) {
    return (long) filtering.products() * conv.input().channels() * conv.outputs() > WIDE;
  }

  /** Tiles that pass a wide layer together. */
  static int wideBlock(MinimalFiltering filtering, int channels) {
    int tiles = WIDE / (filtering.products() * channels);
    return Math.max(TileKernels.TILES, tiles / TileKernels.TILES * TileKernels.TILES);
  }

  static Pass pass(Conv2d conv, MinimalFiltering filtering, Binding binding) {
    return isWide(conv, filtering)
        ? new WideConvPass(conv, filtering, binding)
        : new FilteredConvPass(conv, filtering, binding);
  }

  /** What the tiles of the input read around it. */
  static int inputMargin(Conv2d conv, MinimalFiltering filtering) {
    return TileGrid.of(filtering, conv.output())
        .margin(
            conv.padding(),
            conv.kernel() - 1 - conv.padding(),
            conv.input().height(),
            conv.input().width());
  }

  /** What the tiles of the input's gradient read around the output's, and the weight gradient's. */
  static int gradientMargin(Conv2d conv, MinimalFiltering filtering) {
    int height = conv.output().height();
    int width = conv.output().width();
    return Math.max(
        TileGrid.of(filtering, conv.input())
            .margin(conv.kernel() - 1 - conv.padding(), conv.padding(), height, width),
        TileGrid.of(filtering, conv.output()).margin(0, 0, height, width));
  }

  /** From how many samples on; more than any batch has if these kernels cannot at all. */
  static int leastSamples(Conv2d conv, MinimalFiltering filtering, Kernels kernels) {
    if (conv.input().channels() % kernels.panel() != 0 || conv.outputs() % kernels.panel() != 0) {
      return Integer.MAX_VALUE;
    }
    int tiles = TileGrid.of(filtering, conv.output()).perSample();
    return (LEAST_TILES + tiles - 1) / tiles;
  }
}

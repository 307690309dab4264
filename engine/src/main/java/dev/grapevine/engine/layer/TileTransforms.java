package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.MinimalFiltering;
import dev.grapevine.engine.kernel.Rows;
import dev.grapevine.engine.kernel.TileKernels;

/**
 * Between images and blocks of transformed tiles, [panel of channels][point][tile][panel].
 *
 * @param block most tiles of a block
 */
record TileTransforms(
    MinimalFiltering filtering,
    TileKernels kernels,
    int panel,
    int block,
    float[] scratch,
    float[] edge) {

  TileTransforms {
    if (block % TileKernels.TILES != 0) {
      throw new IllegalArgumentException(
          "a block needs a multiple of %d tiles: block=%d".formatted(TileKernels.TILES, block));
    }
  }

  TileTransforms(MinimalFiltering filtering, Kernels kernels, int block) {
    this(
        filtering,
        kernels.tiles(),
        kernels.panel(),
        block,
        new float[filtering.scratch(kernels)],
        new float[filtering.outputs() * filtering.outputs() * kernels.panel()]);
  }

  /** From point to point; a panel more than needed, so that points fall in different cache sets. */
  int pointStride() {
    return (block + 1) * panel;
  }

  int panelStride() {
    return filtering.products() * pointStride();
  }

  /** Floats of a block, with room for last rows of a product that mean nothing. */
  int blockSize(int channels) {
    return channels / panel * panelStride() + Rows.BLOCK * panel;
  }

  /** Tiles [first, first + count) of a grid, read so many rows and columns further up and left. */
  void input(Plane image, TileGrid grid, int shift, int first, int count, float[] v, int vAt) {
    int channels = image.channels();
    for (int i = 0; i < count; i++) {
      int at = grid.corner(image, first + i, shift);
      for (int c = 0; c < channels; c += panel) {
        kernels.input(
            filtering,
            image.data(),
            at + c,
            image.rowStride(),
            channels,
            v,
            vAt + i * panel + c / panel * panelStride(),
            pointStride(),
            scratch);
      }
    }
  }

  /** The same of one panel of channels, from {@code vAt}. */
  void panelOfInput(
      Plane image,
      TileGrid grid,
      int shift,
      int channel,
      int first,
      int count,
      float[] v,
      int vAt) {
    for (int i = 0; i < count; i++) {
      kernels.input(
          filtering,
          image.data(),
          grid.corner(image, first + i, shift) + channel,
          image.rowStride(),
          image.channels(),
          v,
          vAt + i * panel,
          pointStride(),
          scratch);
    }
  }

  /** The m×m pixels of tiles, one panel of channels, from {@code zAt}. */
  void gradient(Plane image, TileGrid grid, int channel, int first, int count, float[] z, int zAt) {
    for (int i = 0; i < count; i++) {
      kernels.gradient(
          filtering,
          image.data(),
          grid.corner(image, first + i, 0) + channel,
          image.rowStride(),
          image.channels(),
          z,
          zAt + i * panel,
          pointStride(),
          scratch);
    }
  }

  /** Back into the image, one panel of channels; what lies beyond the image is dropped. */
  void output(
      float[] z,
      int zAt,
      Plane image,
      TileGrid grid,
      int channel,
      int first,
      int count,
      float[] start) {
    int m = filtering.outputs();
    for (int i = 0; i < count; i++) {
      int tile = first + i;
      int to = grid.corner(image, tile, 0) + channel;
      int rows = grid.rows(tile);
      int columns = grid.columns(tile);
      boolean whole = rows == m && columns == m;
      kernels.output(
          filtering,
          z,
          zAt + i * panel,
          pointStride(),
          whole ? image.data() : edge,
          whole ? to : 0,
          whole ? image.rowStride() : m * panel,
          whole ? image.channels() : panel,
          start,
          channel,
          scratch);
      if (!whole) {
        cut(rows, columns, image, to);
      }
    }
  }

  private void cut(int rows, int columns, Plane image, int to) {
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        System.arraycopy(
            edge,
            (row * filtering.outputs() + column) * panel,
            image.data(),
            to + row * image.rowStride() + column * image.channels(),
            panel);
      }
    }
  }
}

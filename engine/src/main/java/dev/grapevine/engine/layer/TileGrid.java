package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.MinimalFiltering;

/** An image cut into tiles of m×m, the last ones of a row or column perhaps not whole. */
record TileGrid(int size, int height, int width) {

  static TileGrid of(MinimalFiltering filtering, Shape.Image image) {
    return new TileGrid(filtering.outputs(), image.height(), image.width());
  }

  int down() {
    return (height + size - 1) / size;
  }

  int across() {
    return (width + size - 1) / size;
  }

  int perSample() {
    return down() * across();
  }

  /** The first row of a tile, counted over all samples. */
  int row(int tile) {
    return tile % perSample() / across() * size;
  }

  int column(int tile) {
    return tile % across() * size;
  }

  /** Where a tile starts in an image, so many rows and columns further up and left. */
  int corner(Plane plane, int tile, int shift) {
    return plane.at(tile / perSample(), row(tile) - shift, column(tile) - shift);
  }

  /** Rows of a tile that lie in the image. */
  int rows(int tile) {
    return Math.min(size, height - row(tile));
  }

  int columns(int tile) {
    return Math.min(size, width - column(tile));
  }

  /**
   * The margin that tiles grown by {@code before} rows and columns above and to the left and so
   * many after need around an image of this height and width.
   */
  int margin(int before, int after, int imageHeight, int imageWidth) {
    int below = down() * size + after - imageHeight;
    int right = across() * size + after - imageWidth;
    return Math.max(Math.max(before, 0), Math.max(below, right));
  }
}

package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.Product;

/** Memory that the levels of an LSTM use one after the other. */
final class LstmScratch {

  private final Kernels kernels;
  private final Product product;
  private final float[] transposed;
  private final float[] panels;

  LstmScratch(Kernels kernels, int rows, int hidden, int widest) {
    this.kernels = kernels;
    this.product = new Product(kernels);
    this.transposed = new float[Math.multiplyExact(4 * hidden, rows)];
    this.panels = new float[Product.packedSize(kernels, rows, widest)];
  }

  Product product() {
    return product;
  }

  /** Gate gradients with the rows innermost. */
  float[] transposed() {
    return transposed;
  }

  /** Turns [rows][stride] into {@link #transposed()} [columns][rows]. */
  void transpose(float[] source, int rows, int stride, int columns) {
    // Eight source rows at a time: each cache line that is touched is then used up.
    for (int first = 0; first < rows; first += 8) {
      int end = Math.min(rows, first + 8);
      for (int column = 0; column < columns; column++) {
        for (int row = first; row < end; row++) {
          transposed[column * rows + row] = source[row * stride + column];
        }
      }
    }
  }

  /** The first {@code rows} rows of a dense matrix as packed panels. */
  float[] pack(float[] source, int rows, int columns) {
    return packInto(panels, kernels, source, 0, rows, columns);
  }

  /** Packs a dense [rows][columns] matrix, so that a product sums over its rows. */
  static float[] packInto(
      float[] target, Kernels kernels, float[] source, int at, int rows, int columns) {
    for (int column = 0; column < columns; column += kernels.panel()) {
      kernels.packPanel(
          source, at + column, columns, rows, columns - column, target, column * rows);
    }
    return target;
  }

  /** Packs a dense [rows][columns] matrix, so that a product sums over its columns. */
  static void packTransposed(
      float[] target, Kernels kernels, float[] source, int at, int rows, int columns) {
    int panel = kernels.panel();
    for (int first = 0; first < rows; first += panel) {
      int filled = Math.min(panel, rows - first);
      for (int column = 0; column < columns; column++) {
        int to = first * columns + column * panel;
        int from = at + first * columns + column;
        for (int j = 0; j < filled; j++) {
          target[to + j] = source[from + j * columns];
        }
      }
    }
  }
}

package dev.grapevine.engine.kernel;

import org.jspecify.annotations.Nullable;

/**
 * A whole matrix product C (+)= A·B on {@link Kernels#rows}: A in place through row offsets, B
 * packed as [panel][segment][depth][panel width], C through row offsets. A row of A is {@code
 * segments} runs of {@code depth} values that lie {@code segmentStride} apart (a window of an image
 * has one run per window row).
 *
 * <p>Long runs are cut so that a piece of a panel stays in the first-level cache while all rows of
 * a tile pass over it.
 */
public final class Product {

  private static final int LONGEST_RUN = 256;
  private static final int TILE_FLOATS = 65536;

  private final Kernels kernels;
  private final float[] tile;

  public Product(Kernels kernels) {
    this.kernels = kernels;
    this.tile = new float[kernels.tile()];
  }

  /** Floats of a packed right side of {@code depth} rows and {@code columns} columns. */
  public static int packedSize(Kernels kernels, int depth, int columns) {
    return panels(kernels, columns) * kernels.panel() * depth;
  }

  public static int panels(Kernels kernels, int columns) {
    return (columns + kernels.panel() - 1) / kernels.panel();
  }

  /**
   * @param bias one value per column, padded to whole panels; null to start from zero
   * @param accumulate start from what C holds (the bias is then not used)
   */
  public void multiply(
      float[] a,
      int[] aRows,
      int aBase,
      int segments,
      int segmentStride,
      int depth,
      float[] b,
      int bBase,
      int columns,
      float[] c,
      int[] cRows,
      int cBase,
      int first,
      int count,
      boolean accumulate,
      float @Nullable [] bias) {
    int panel = kernels.panel();
    int pieces = (depth + LONGEST_RUN - 1) / LONGEST_RUN;
    int run = (depth + pieces - 1) / pieces;
    int rowsAtOnce =
        Math.clamp((long) TILE_FLOATS * segments / depth, 8 * Rows.BLOCK, 1 << 20)
            / Rows.BLOCK
            * Rows.BLOCK;
    for (int row = 0; row < count; row += rowsAtOnce) {
      int rows = Math.min(rowsAtOnce, count - row);
      for (int column = 0; column < columns; column += panel) {
        int panelBase = bBase + column * segments * depth;
        boolean started = accumulate;
        for (int segment = 0; segment < segments; segment++) {
          for (int k = 0; k < depth; k += run) {
            kernels.rows(
                a,
                aRows,
                first + row,
                aBase + segment * segmentStride + k,
                b,
                panelBase + (segment * depth + k) * panel,
                Math.min(run, depth - k),
                c,
                cRows,
                first + row,
                cBase + column,
                rows,
                columns - column,
                started,
                bias,
                column,
                tile);
            started = true;
          }
        }
      }
    }
  }

  /**
   * C += A·B for few rows, as in one time step of a recurrent layer: a remainder of two rows takes
   * two panels at once instead of a block that is two thirds empty.
   */
  public void multiplyFew(
      float[] a,
      int[] aRows,
      int aBase,
      int depth,
      float[] b,
      int columns,
      float[] c,
      int[] cRows,
      int cBase,
      int count,
      boolean accumulate) {
    int panel = kernels.panel();
    boolean pairs = count % Rows.BLOCK == 2 && columns % (2 * panel) == 0;
    int blocks = pairs ? count - 2 : count;
    int pieces = (depth + LONGEST_RUN - 1) / LONGEST_RUN;
    int run = (depth + pieces - 1) / pieces;
    for (int column = 0; column < columns; column += panel) {
      for (int k = 0; k < depth; k += run) {
        int length = Math.min(run, depth - k);
        int from = (column * depth) + k * panel;
        boolean started = accumulate || k > 0;
        kernels.rows(
            a,
            aRows,
            0,
            aBase + k,
            b,
            from,
            length,
            c,
            cRows,
            0,
            cBase + column,
            blocks,
            columns - column,
            started,
            null,
            0,
            tile);
        if (pairs && column / panel % 2 == 1) {
          kernels.twoRows(
              a,
              aRows,
              blocks,
              aBase + k,
              b,
              from - panel * depth,
              panel * depth,
              length,
              c,
              cRows,
              blocks,
              cBase + column - panel,
              started);
        }
      }
    }
  }
}

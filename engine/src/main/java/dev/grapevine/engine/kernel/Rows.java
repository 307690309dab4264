package dev.grapevine.engine.kernel;

/** Tables of row offsets, padded so that a kernel may always take a whole block of rows. */
public final class Rows {

  /** Rows that a kernel takes at once. */
  public static final int BLOCK = 6;

  private Rows() {}

  /** Offsets 0, stride, 2·stride, … */
  public static int[] evenly(int count, int stride) {
    int[] offsets = new int[count];
    for (int i = 0; i < count; i++) {
      offsets[i] = Math.multiplyExact(i, stride);
    }
    return padded(offsets);
  }

  /**
   * The same offsets followed by at least one block of repetitions of the last one. Computing a row
   * twice is harmless: both copies read and write the same values.
   */
  public static int[] padded(int[] offsets) {
    int count = offsets.length;
    int[] table = new int[(count + BLOCK - 1) / BLOCK * BLOCK + BLOCK];
    for (int i = 0; i < table.length; i++) {
      table[i] = count == 0 ? 0 : offsets[Math.min(i, count - 1)];
    }
    return table;
  }

  /** The number of rows that whole blocks over {@code count} rows touch. */
  public static int roundUp(int count) {
    return (count + BLOCK - 1) / BLOCK * BLOCK;
  }
}

package dev.grapevine.aggregation;

import dev.grapevine.engine.kernel.SignalKernels;

/**
 * Looks for values that are no numbers. Every value of every message passes here, so that it is
 * done with vector instructions.
 */
public final class Finite {

  /** Values that are copied at a time; they stay in the first-level cache. */
  private static final int BLOCK = 2048;

  private Finite() {}

  /** Whether all values from {@code at} up to {@code end} are finite. */
  public static boolean all(float[] values, int at, int end) {
    return SignalKernels.best().areFinite(values, at, end - at);
  }

  /** The same of {@code size} coordinates of an update that leaves none out. */
  static boolean all(Update whole, int size) {
    float[] block = new float[Math.min(BLOCK, size)];
    for (int from = 0; from < size; from += BLOCK) {
      int length = Math.min(BLOCK, size - from);
      whole.read(from, length, block, block);
      if (!all(block, 0, length)) {
        return false;
      }
    }
    return true;
  }
}

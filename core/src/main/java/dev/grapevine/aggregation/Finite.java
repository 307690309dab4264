package dev.grapevine.aggregation;

import dev.grapevine.engine.kernel.SignalKernels;
import java.nio.FloatBuffer;

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
    return SignalKernels.best().countBeyond(Float.MAX_VALUE, values, at, end - at) == 0;
  }

  /** The same of all values of a buffer. */
  static boolean all(FloatBuffer values) {
    float[] block = new float[Math.min(BLOCK, values.limit())];
    for (int from = 0; from < values.limit(); from += BLOCK) {
      int length = Math.min(BLOCK, values.limit() - from);
      values.get(from, block, 0, length);
      if (!all(block, 0, length)) {
        return false;
      }
    }
    return true;
  }
}

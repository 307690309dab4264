package dev.grapevine.aggregation;

import java.nio.IntBuffer;

/**
 * Looks for values that are no numbers. Every value of every message passes here, so that it is
 * done without a branch a value, in loops that the compiler turns into vector instructions.
 */
public final class Finite {

  /** Values that are looked at before the verdict; they stay in the first-level cache. */
  private static final int BLOCK = 2048;

  private static final int WITHOUT_SIGN = 0x7FFF_FFFF;

  /** Added to an exponent of ones, it overflows into the sign. */
  private static final int LOWEST_OF_EXPONENT = 0x0080_0000;

  private Finite() {}

  /** Whether all values from {@code at} up to {@code end} are finite. */
  public static boolean all(float[] values, int at, int end) {
    int overflow = 0;
    for (int i = at; i < end; i++) {
      overflow |= (Float.floatToRawIntBits(values[i]) & WITHOUT_SIGN) + LOWEST_OF_EXPONENT;
    }
    return overflow >= 0;
  }

  /** The same of values whose bits these are. */
  static boolean all(IntBuffer bits) {
    int[] block = new int[Math.min(BLOCK, bits.limit())];
    for (int from = 0; from < bits.limit(); from += BLOCK) {
      int length = Math.min(BLOCK, bits.limit() - from);
      bits.get(from, block, 0, length);
      int overflow = 0;
      for (int i = 0; i < length; i++) {
        overflow |= (block[i] & WITHOUT_SIGN) + LOWEST_OF_EXPONENT;
      }
      if (overflow < 0) {
        return false;
      }
    }
    return true;
  }
}

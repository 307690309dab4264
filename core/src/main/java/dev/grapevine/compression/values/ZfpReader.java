package dev.grapevine.compression.values;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads blocks of a zfp stream as far as one depends on the other: exponents and bit planes. What
 * is to be done with the planes can then be done for many blocks at once. The array must go on for
 * {@link #BEYOND} zeros behind the last byte.
 */
final class ZfpReader {

  /** A block takes no more than 18 bytes, and words are read at its end. */
  static final int BEYOND = 32;

  /** The most blocks of one call. */
  static final int MOST = 256;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Bits of a word that are left wherever in a byte it begins. */
  private static final int WINDOW = 57;

  /** A one and the exponent. */
  private static final int HEADER = 9;

  /** The bits of a block's first step. */
  private static final int FIRST = (1 << ZfpPlanes.STEP_BITS) - 1;

  private final byte[] bytes;
  private final long bits;
  private final int planesOfOne;
  private final int[] exponents = new int[MOST];
  private final long[] upper = new long[MOST];
  private final long[] lower = new long[MOST];
  private long at;

  /** How many of the block's values have shown a bit. */
  private int significant;

  /**
   * @param planesOfOne how many planes a block of exponent 0 has
   */
  ZfpReader(byte[] bytes, int length, int planesOfOne) {
    this.bytes = bytes;
    this.planesOfOne = planesOfOne;
    bits = 8L * length;
  }

  /** Exponents of the blocks that were read; of a block of zeros, 0. */
  int[] exponents() {
    return exponents;
  }

  /** The upper sixteen bits of the blocks' four integers, the first in the lowest. */
  long[] upper() {
    return upper;
  }

  /** The lower sixteen bits likewise. */
  long[] lower() {
    return lower;
  }

  /** Reads {@code blocks}, at most {@link #MOST}. */
  void read(int blocks) {
    long deep = readPlanes(blocks);
    ZfpPlanes.part(upper, blocks);
    if (deep != 0) {
      ZfpPlanes.part(lower, blocks);
    }
    if (at > bits) {
      throw Zfp.cutOff(at);
    }
  }

  /**
   * Returns zero if no block has more than sixteen planes.
   *
   * <p>Three steps without a branch are enough for the upper half of most blocks; wrong guesses at
   * how many are needed would cost more than steps of nothing.
   */
  private long readPlanes(int blocks) {
    long position = at;
    long deep = 0;
    for (int b = 0; b < blocks; b++) {
      // Beyond the end there are zeros, which are blocks; the array has room for one of any kind.
      if (position > bits) {
        throw Zfp.cutOff(position);
      }
      long window = window(position);
      lower[b] = 0;
      if ((window & 1) == 0) {
        exponents[b] = 0;
        upper[b] = 0;
        position++;
        continue;
      }
      int exponent = (int) (window >> 1 & 255) - Zfp.EXPONENT_BIAS;
      exponents[b] = exponent;
      int planes = Math.clamp(exponent + planesOfOne, 0, Integer.SIZE);
      int count = Math.min(planes, 16);
      position += HEADER;
      window >>>= HEADER;

      int one = ZfpPlanes.DECODE_MANY[(int) window & FIRST];
      window >>>= one;
      int two = ZfpPlanes.next(one, window);
      window >>>= two;
      int three = ZfpPlanes.next(two, window);
      int soon = ZfpPlanes.planes(one);
      int done = soon + ZfpPlanes.planes(two);
      long gathered =
          ZfpPlanes.gathered(one)
              | ZfpPlanes.gathered(two) << 4 * soon
              | ZfpPlanes.gathered(three) << 4 * done;
      done += ZfpPlanes.planes(three);
      int taken = ZfpPlanes.length(one) + ZfpPlanes.length(two) + ZfpPlanes.length(three);
      int left = count - done;
      significant = ZfpPlanes.significant(three);
      if (significant == 4 && left >= 0 && left <= WINDOW / 4) {
        long rest = window(position + taken) & (1L << 4 * left) - 1;
        upper[b] = gathered | rest << 4 * done;
        position += taken + 4 * left;
      } else {
        significant = 0;
        at = position;
        upper[b] = readHalf(count);
        position = at;
      }
      if (planes > 16) {
        at = position;
        lower[b] = readHalf(planes - 16);
        position = at;
        deep = 1;
      }
    }
    at = position;
    return deep;
  }

  /** The bits from a position on, at least 57. */
  private long window(long position) {
    return (long) LONG.get(bytes, (int) (position >>> 3)) >>> (position & 7);
  }

  private long window() {
    return window(at);
  }

  private static int many(int significant, long window) {
    return ZfpPlanes.DECODE_MANY[significant << ZfpPlanes.STEP_BITS | (int) window & 1023];
  }

  /** The next {@code count} planes, at most 16, the first in the lowest four bits. */
  private long readHalf(int count) {
    long gathered = 0;
    long window = window();
    int known = significant;
    int taken = 0;
    int done = 0;
    while (known < 4 && done < count) {
      if (taken > WINDOW - ZfpPlanes.STEP_BITS) {
        at += taken;
        taken = 0;
        window = window();
      }
      long next = window >>> taken;
      int step = many(known, next);
      if (done + ZfpPlanes.planes(step) > count) {
        step = ZfpPlanes.DECODE[known << 7 | (int) next & 127];
      }
      gathered |= ZfpPlanes.gathered(step) << 4 * done;
      done += ZfpPlanes.planes(step);
      taken += ZfpPlanes.length(step);
      known = ZfpPlanes.significant(step);
    }
    at += taken;
    significant = known;
    // Once all four are significant, planes stand as they are.
    while (done < count) {
      int some = Math.min(count - done, WINDOW / 4);
      gathered |= (window() & -1L >>> 64 - 4 * some) << 4 * done;
      at += 4 * some;
      done += some;
    }
    return gathered;
  }

  /** How many bytes have been begun. */
  int bytesRead() {
    return (int) ((at + 7) >>> 3);
  }
}

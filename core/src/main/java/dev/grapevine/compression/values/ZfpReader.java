package dev.grapevine.compression.values;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads bits, lowest first. The array must go on for {@link #BEYOND} zeros behind the last byte.
 */
final class ZfpReader {

  /** A block takes no more than 18 bytes, and words are read at its end. */
  static final int BEYOND = 32;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Bits of a word that are left wherever in a byte it begins. */
  private static final int WINDOW = 57;

  private final byte[] bytes;
  private final long bits;
  private long at;

  /** How many of the block's values have shown a bit. */
  private int significant;

  ZfpReader(byte[] bytes, int length) {
    this.bytes = bytes;
    bits = 8L * length;
  }

  private long window() {
    return (long) LONG.get(bytes, (int) (at >>> 3)) >>> (at & 7);
  }

  /** The next bits, at least 57. */
  long peek() {
    return window();
  }

  void skip(int count) {
    at += count;
  }

  /** To be called before each block: complains when the last one has read beyond the end. */
  void requireWithin() {
    if (at > bits) {
      throw Zfp.cutOff(at);
    }
  }

  /**
   * The highest planes of a block, at most 16. Three steps without a branch are enough for most
   * blocks; wrong guesses at how many are needed would cost more than steps of nothing.
   *
   * @param window the next 48 bits
   */
  long readUpper(long window, int count) {
    int step = many(0, window);
    long gathered = ZfpPlanes.gathered(step);
    int done = ZfpPlanes.planes(step);
    int taken = ZfpPlanes.length(step);
    step = many(ZfpPlanes.significant(step), window >>> taken);
    gathered |= ZfpPlanes.gathered(step) << 4 * done;
    done += ZfpPlanes.planes(step);
    taken += ZfpPlanes.length(step);
    step = many(ZfpPlanes.significant(step), window >>> taken);
    gathered |= ZfpPlanes.gathered(step) << 4 * done;
    done += ZfpPlanes.planes(step);
    taken += ZfpPlanes.length(step);
    significant = ZfpPlanes.significant(step);
    int left = count - done;
    if (significant < 4 || left < 0 || left > WINDOW / 4) {
      significant = 0;
      return readHalf(count);
    }
    at += taken;
    long rest = window() & (1L << 4 * left) - 1;
    at += 4 * left;
    return gathered | rest << 4 * done;
  }

  private static int many(int significant, long window) {
    return ZfpPlanes.DECODE_MANY[significant << ZfpPlanes.STEP_BITS | (int) window & 1023];
  }

  /** The next {@code count} planes, at most 16, the first in the lowest four bits. */
  long readHalf(int count) {
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

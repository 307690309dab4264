package dev.grapevine.compression.values;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Appends bits, lowest first, to an array that has room for them and a word more. */
final class ZfpWriter {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private int at;
  private long pending;

  /** How many bits of {@link #pending} are in use: at most seven between calls. */
  private int used;

  ZfpWriter(byte[] bytes) {
    this.bytes = bytes;
  }

  void write(long bits, int length) {
    pending |= bits << used;
    used += length;
    flush();
  }

  /** The highest {@code planes} bit planes of four integers in negabinary. */
  void writePlanes(int x, int y, int z, int w, int planes) {
    long upper = ZfpPlanes.gather(x >>> 16, y >>> 16, z >>> 16, w >>> 16);
    int significant = writeHalf(upper, Math.min(planes, 16), 0);
    if (planes > 16) {
      writeHalf(ZfpPlanes.gather(x, y, z, w), planes - 16, significant);
    }
  }

  /** The lowest {@code count} of sixteen gathered planes. */
  private int writeHalf(long gathered, int count, int known) {
    long rest = gathered;
    int left = count;
    int significant = known;
    while (left > 1 && significant < 4) {
      int entry = ZfpPlanes.ENCODE_TWO[256 * significant + (int) (rest & 255)];
      append(entry & 0xffff, entry >> 16 & 255);
      significant = entry >> 24;
      rest >>>= 8;
      left -= 2;
    }
    if (left == 1 && significant < 4) {
      int entry = ZfpPlanes.ENCODE[16 * significant + (int) (rest & 15)];
      append(entry & 127, entry >> 8 & 15);
      significant = entry >> 12;
      left = 0;
    }
    flush();
    // Once all four are significant, planes are written as they are.
    while (left > 0) {
      int some = Math.min(left, 14);
      write(rest & -1L >>> 64 - 4 * some, 4 * some);
      rest >>>= 4 * some;
      left -= some;
    }
    return significant;
  }

  /** At most fourteen bits. */
  private void append(long bits, int length) {
    pending |= bits << used;
    used += length;
    if (used >= Long.SIZE - 2 * ZfpPlanes.LONGEST) {
      flush();
    }
  }

  private void flush() {
    LONG.set(bytes, at, pending);
    at += used >>> 3;
    pending >>>= used & ~7;
    used &= 7;
  }

  /** Pads to a whole byte and returns how many there are. */
  int finish() {
    LONG.set(bytes, at, pending);
    return at + (used > 0 ? 1 : 0);
  }
}

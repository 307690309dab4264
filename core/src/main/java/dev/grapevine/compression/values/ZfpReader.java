package dev.grapevine.compression.values;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads bits, lowest first; beyond the end it reads zeros and then complains. */
final class ZfpReader {

  private final ByteBuffer in;
  private final int start;
  private final int end;
  private long at;

  /** How many of the block's values have shown a bit. */
  private int significant;

  /** The last block's planes, gathered into integers. */
  int x;

  int y;
  int z;
  int w;

  /** The last block's values. */
  float a;

  float b;
  float c;
  float d;

  ZfpReader(ByteBuffer in) {
    this.in = in.order(ByteOrder.LITTLE_ENDIAN);
    start = in.position();
    end = in.limit();
  }

  /** The next bits, at least 57 of them. */
  private long window() {
    int from = start + (int) (at >>> 3);
    if (from + Long.BYTES <= end) {
      return in.getLong(from) >>> (at & 7);
    }
    long word = 0;
    for (int i = from; i < end; i++) {
      word |= (in.get(i) & 0xffL) << 8 * (i - from);
    }
    return word >>> (at & 7);
  }

  int peek() {
    return (int) window();
  }

  void skip(int bits) {
    at += bits;
    if (at > 8L * (end - start)) {
      throw Zfp.cutOff(at);
    }
  }

  void readPlanes(int planes) {
    significant = 0;
    long upper = readHalf(Math.min(planes, 16));
    long lower = planes > 16 ? readHalf(planes - 16) : 0;
    x = ZfpPlanes.part(upper, 0) << 16 | ZfpPlanes.part(lower, 0);
    y = ZfpPlanes.part(upper, 1) << 16 | ZfpPlanes.part(lower, 1);
    z = ZfpPlanes.part(upper, 2) << 16 | ZfpPlanes.part(lower, 2);
    w = ZfpPlanes.part(upper, 3) << 16 | ZfpPlanes.part(lower, 3);
  }

  /** The next {@code count} planes, the first in the lowest four bits. */
  private long readHalf(int count) {
    long gathered = 0;
    long window = window();
    int taken = 0;
    int done = 0;
    while (done < count && significant < 4) {
      if (taken > 57 - ZfpPlanes.LONGEST) {
        skip(taken);
        taken = 0;
        window = window();
      }
      int entry = ZfpPlanes.DECODE[128 * significant + (int) (window >>> taken & 127)];
      taken += entry >> 8 & 15;
      significant = entry >> 12;
      gathered |= (long) (entry & 15) << 4 * done;
      done++;
    }
    skip(taken);
    while (done < count) {
      int some = Math.min(count - done, 14);
      gathered |= (window() & -1L >>> 64 - 4 * some) << 4 * done;
      skip(4 * some);
      done += some;
    }
    return gathered;
  }

  /** Moves the buffer behind the last byte that was begun. */
  void finish() {
    in.position((int) (start + (at + 7) / 8));
  }
}

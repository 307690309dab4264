package dev.grapevine.compression.values;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads bits, lowest first; beyond the end it reads zeros and then complains. */
final class ZfpReader {

  private final ByteBuffer in;
  private final int start;
  private final int end;
  private long at;

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
    int significant = 0;
    int p = 0;
    int q = 0;
    int r = 0;
    int s = 0;
    long window = window();
    int taken = 0;
    int lowest = Integer.SIZE - planes;
    for (int k = Integer.SIZE - 1; k >= lowest; k--) {
      if (taken > 57 - ZfpPlanes.LONGEST) {
        at += taken;
        taken = 0;
        window = window();
      }
      int entry = ZfpPlanes.DECODE[128 * significant + (int) (window >>> taken & 127)];
      taken += entry >> 8 & 15;
      significant = entry >> 12;
      p |= (entry & 1) << k;
      q |= (entry >> 1 & 1) << k;
      r |= (entry >> 2 & 1) << k;
      s |= (entry >> 3 & 1) << k;
    }
    x = p;
    y = q;
    z = r;
    w = s;
    skip(taken);
  }

  /** Moves the buffer behind the last byte that was begun. */
  void finish() {
    in.position((int) (start + (at + 7) / 8));
  }
}

package dev.grapevine.compression.values;

import dev.grapevine.message.PayloadWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Appends bits, lowest first, to a payload. */
final class ZfpWriter {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final PayloadWriter out;
  private final byte[] bytes;
  private int at;
  private long pending;

  /** How many bits of {@link #pending} are in use: at most seven between calls. */
  private int used;

  ZfpWriter(PayloadWriter out, int room) {
    this.out = out;
    at = out.claim(room);
    bytes = out.array();
  }

  void write(long bits, int length) {
    pending |= bits << used;
    used += length;
    flush();
  }

  /** The highest {@code planes} bit planes of four integers in negabinary. */
  void writePlanes(int x, int y, int z, int w, int planes) {
    int significant = 0;
    int lowest = Integer.SIZE - planes;
    for (int k = Integer.SIZE - 1; k >= lowest; k--) {
      int plane = (x >>> k & 1) | (y >>> k & 1) << 1 | (z >>> k & 1) << 2 | (w >>> k & 1) << 3;
      int entry = ZfpPlanes.ENCODE[16 * significant + plane];
      pending |= (long) (entry & 127) << used;
      used += entry >> 8 & 15;
      significant = entry >> 12;
      if (used > 56) {
        flush();
      }
    }
    flush();
  }

  private void flush() {
    LONG.set(bytes, at, pending);
    at += used >>> 3;
    pending >>>= used & ~7;
    used &= 7;
  }

  /** Pads to a whole byte and gives the rest of the claim back. */
  void finish() {
    LONG.set(bytes, at, pending);
    out.truncate(at + (used > 0 ? 1 : 0));
  }
}

package dev.grapevine.sharing.difference;

import dev.grapevine.message.PayloadWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Small numbers of a fixed number of bits, up to 16, lowest bits first. */
final class PackedCodes {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private PackedCodes() {}

  /** How many bytes {@code length} codes take. */
  static int size(int length, int bits) {
    return (int) (((long) length * bits + 7) / 8);
  }

  static void write(int[] codes, int length, int bits, PayloadWriter out) {
    int at = out.claim(size(length, bits));
    byte[] target = out.array();
    long pending = 0;
    int used = 0;
    for (int i = 0; i < length; i++) {
      pending |= (long) codes[i] << used;
      used += bits;
      while (used >= 8) {
        target[at++] = (byte) pending;
        pending >>>= 8;
        used -= 8;
      }
    }
    if (used > 0) {
      target[at] = (byte) pending;
    }
  }

  /**
   * The code that begins at bit {@code at}; a whole word is read there, so that the array needs
   * eight bytes more than codes.
   *
   * @param mask as many ones as a code has bits
   */
  static int read(byte[] packed, long at, int mask) {
    return (int) ((long) LONG.get(packed, (int) (at >>> 3)) >>> (at & 7)) & mask;
  }
}

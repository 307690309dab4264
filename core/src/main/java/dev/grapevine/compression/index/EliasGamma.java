package dev.grapevine.compression.index;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Elias gamma codes of the gaps between neighbours; the first gap is the first index plus one.
 *
 * <p>A gap g with n = ⌊log₂ g⌋ takes 2n+1 bits: n zeros, a one, and the n low bits of g. The stream
 * fills bytes from the lowest bit upwards, so that a code is read with one count of trailing zeros.
 * Cost: one pass, about two bits for each doubling of the mean gap.
 */
@Kind(
    name = "elias-gamma",
    summary = "Elias gamma codes of the gaps between indices",
    paper = "P. Elias, Universal codeword sets and representations of the integers, 1975")
public final class EliasGamma implements IndexCodec {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Codes up to this n fit, behind seven used bits, into one 64-bit word. */
  private static final int SHORT = 28;

  /** The largest n of a positive int. */
  private static final int LONGEST = 30;

  /** Three codes up to this n fit likewise; one less than a power of two, to test all at once. */
  private static final int THREE = 7;

  @Override
  public void encode(int[] indices, int count, int universe, PayloadWriter out, Scratch scratch) {
    Rising.require(indices, count, universe);
    out.writeInt(count);
    if (count == 0) {
      return;
    }
    int start = out.claim(room(count, universe));
    byte[] bytes = out.array();
    int at = start;
    long pending = 0;
    int used = 0;
    int previous = -1;
    for (int i = 0; i < count; i++) {
      int index = indices[i];
      int gap = index - previous;
      previous = index;
      int n = 31 - Integer.numberOfLeadingZeros(gap);
      // A one below the low bits; the gap's own top bit falls away.
      long code = (((long) gap << 1) + 1) & ((2L << n) - 1);
      int zeros = n;
      if (n >= SHORT) {
        LONG.set(bytes, at, pending);
        used += n;
        at += used >>> 3;
        pending >>>= used & ~7;
        used &= 7;
        zeros = 0;
      }
      pending |= code << (zeros + used);
      LONG.set(bytes, at, pending);
      used += zeros + n + 1;
      at += used >>> 3;
      pending >>>= used & ~7;
      used &= 7;
    }
    out.truncate(at + (used + 7) / 8);
  }

  /** The sum of log₂(gap) is largest when all gaps are equal; a word more than that. */
  private static int room(int count, int universe) {
    double bits = count * (2 * Math.log((double) universe / count) / Math.log(2) + 1);
    return (int) Math.min(Integer.MAX_VALUE - 8L, (long) (bits / 8) + 3L * Long.BYTES);
  }

  @Override
  public int decode(ByteBuffer in, int universe, int[] indices, Scratch scratch) {
    in.order(ByteOrder.LITTLE_ENDIAN);
    int count = Rising.readCount(in, universe, indices.length);
    if (count == 0) {
      return 0;
    }
    int length = Math.min(in.remaining(), room(count, universe));
    // Words are read up to the last byte, and behind it there are only zeros.
    byte[] bytes = scratch.bytes("elias-gamma.bytes", length + 2 * Long.BYTES);
    in.get(in.position(), bytes, 0, length);
    Arrays.fill(bytes, length, length + 2 * Long.BYTES, (byte) 0);
    long bits = decode(bytes, 8L * length, count, universe, indices);
    in.position(in.position() + (int) ((bits + 7) >>> 3));
    return count;
  }

  /** Returns how many bits the codes take. */
  private static long decode(byte[] bytes, long bits, int count, int universe, int[] indices) {
    long at = 0;
    int last = -1;
    int i = 0;
    while (i < count && at < bits) {
      long first = window(bytes, at);
      int n = Long.numberOfTrailingZeros(first);
      long second = first >>> (2 * n + 1);
      int m = Long.numberOfTrailingZeros(second);
      long third = second >>> (2 * m + 1);
      int k = Long.numberOfTrailingZeros(third);
      if ((n | m | k) <= THREE && i + 3 <= count) {
        int one = last + gap(first, n);
        int two = one + gap(second, m);
        last = two + gap(third, k);
        requireBelow(universe, last);
        indices[i] = one;
        indices[i + 1] = two;
        indices[i + 2] = last;
        i += 3;
        at += 2 * (n + m + k) + 3;
      } else if (n <= LONGEST) {
        // A long code's low bits may lie beyond its first word.
        last += n <= SHORT ? gap(first, n) : gap(window(bytes, at + n) << n, n);
        requireBelow(universe, last);
        indices[i++] = last;
        at += 2 * n + 1;
      } else {
        break;
      }
    }
    if (i < count || at > bits) {
      throw new MalformedPayloadException(
          "index list is cut off or holds a code that is too long: count=%d, read=%d"
              .formatted(count, i));
    }
    return at;
  }

  /** The next bits, at least 57. */
  private static long window(byte[] bytes, long at) {
    return (long) LONG.get(bytes, (int) (at >>> 3)) >>> (at & 7);
  }

  /** The gap whose code, with n leading zeros, stands lowest in {@code window}. */
  private static int gap(long window, int n) {
    return (int) (window >>> (n + 1)) & ((1 << n) - 1) | (1 << n);
  }

  private static void requireBelow(int universe, int index) {
    if (index < 0 || index >= universe) {
      throw new MalformedPayloadException(
          "index out of range: index=%d, universe=%d".formatted(index, universe));
    }
  }
}

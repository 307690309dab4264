package dev.grapevine.compression.index;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** One bit for each possible index, the lowest bit of the first byte for index 0. */
@Kind(name = "bitmap", summary = "one bit for each parameter of the model")
public final class Bitmap implements IndexCodec {

  static long size(int universe) {
    return Integer.BYTES + (universe + 7L) / 8;
  }

  @Override
  public void encode(int[] indices, int count, int universe, PayloadWriter out, Scratch scratch) {
    Rising.require(indices, count, universe);
    out.writeInt(count);
    int bytes = (int) ((universe + 7L) / 8);
    int at = out.claim(bytes);
    byte[] map = out.array();
    Arrays.fill(map, at, at + bytes, (byte) 0);
    for (int i = 0; i < count; i++) {
      int index = indices[i];
      map[at + (index >>> 3)] |= (byte) (1 << (index & 7));
    }
  }

  @Override
  public int decode(ByteBuffer in, int universe, int[] indices, Scratch scratch) {
    in.order(ByteOrder.LITTLE_ENDIAN);
    int count = Rising.readCount(in, universe, indices.length);
    int bytes = (int) ((universe + 7L) / 8);
    Rising.requireBytes(in, bytes);
    int from = in.position();
    int found = 0;
    int at = 0;
    for (; at + Long.BYTES <= bytes; at += Long.BYTES) {
      found = list(in.getLong(from + at), at * 8, indices, found, count);
    }
    for (; at < bytes; at++) {
      found = list(in.get(from + at) & 0xffL, at * 8, indices, found, count);
    }
    if (found != count || (found > 0 && indices[found - 1] >= universe)) {
      throw new MalformedPayloadException(
          "bitmap does not hold what it says: count=%d, found=%d, universe=%d"
              .formatted(count, found, universe));
    }
    in.position(from + bytes);
    return count;
  }

  private static int list(long word, int first, int[] indices, int found, int count) {
    int next = found + Long.bitCount(word);
    if (next > count) {
      throw new MalformedPayloadException("bitmap holds more than it says: count=" + count);
    }
    int at = found;
    for (long rest = word; rest != 0; rest &= rest - 1) {
      indices[at++] = first + Long.numberOfTrailingZeros(rest);
    }
    return next;
  }
}

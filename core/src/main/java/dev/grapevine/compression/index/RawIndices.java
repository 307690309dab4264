package dev.grapevine.compression.index;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Four bytes an index. */
@Kind(name = "raw", summary = "four bytes an index")
public final class RawIndices implements IndexCodec {

  @Override
  public void encode(int[] indices, int count, int universe, PayloadWriter out, Scratch scratch) {
    Rising.require(indices, count, universe);
    out.writeInt(count);
    int bytes = Math.multiplyExact(count, Integer.BYTES);
    int at = out.claim(bytes);
    ByteBuffer.wrap(out.array(), at, bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asIntBuffer()
        .put(indices, 0, count);
  }

  @Override
  public int decode(ByteBuffer in, int universe, int[] indices, Scratch scratch) {
    in.order(ByteOrder.LITTLE_ENDIAN);
    int count = Rising.readCount(in, universe, indices.length);
    Rising.requireBytes(in, (long) count * Integer.BYTES);
    in.asIntBuffer().get(indices, 0, count);
    in.position(in.position() + count * Integer.BYTES);
    try {
      Rising.require(indices, count, universe);
    } catch (IllegalArgumentException e) {
      throw new MalformedPayloadException("bad index list: " + e.getMessage(), e);
    }
    return count;
  }
}

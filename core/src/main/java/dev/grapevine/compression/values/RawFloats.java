package dev.grapevine.compression.values;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Four bytes a value, bit for bit. */
@Kind(name = "raw", summary = "four bytes a value, exact")
public final class RawFloats implements FloatCodec {

  @Override
  public void encode(float[] values, int count, PayloadWriter out, Scratch scratch) {
    int bytes = Math.multiplyExact(count, Float.BYTES);
    int at = out.claim(bytes);
    ByteBuffer.wrap(out.array(), at, bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .put(values, 0, count);
  }

  @Override
  public void decode(ByteBuffer in, float[] values, int count, Scratch scratch) {
    Remaining.require(in, (long) count * Float.BYTES);
    in.order(ByteOrder.LITTLE_ENDIAN);
    in.asFloatBuffer().get(values, 0, count);
    in.position(in.position() + count * Float.BYTES);
  }

  @Override
  public double errorBound(float magnitude) {
    return 0;
  }
}

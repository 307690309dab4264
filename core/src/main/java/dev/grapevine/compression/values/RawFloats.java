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
    write(values, count, out);
  }

  @Override
  public void decode(ByteBuffer in, float[] values, int count, Scratch scratch) {
    read(in, values, count);
  }

  /** As {@link #encode}, which needs no working arrays here. */
  public static void write(float[] values, int count, PayloadWriter out) {
    int bytes = Math.multiplyExact(count, Float.BYTES);
    int at = out.claim(bytes);
    ByteBuffer.wrap(out.array(), at, bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .put(values, 0, count);
  }

  /** As {@link #decode}, which needs no working arrays here. */
  public static void read(ByteBuffer in, float[] values, int count) {
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

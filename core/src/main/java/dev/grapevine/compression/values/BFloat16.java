package dev.grapevine.compression.values;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The upper half of a float32, rounded to nearest even. A finite value that would round to an
 * infinity becomes the largest bfloat16 instead; a NaN stays one.
 */
@Kind(name = "bfloat16", summary = "brain float: two bytes a value, float32's range, 8 bits")
public final class BFloat16 implements FloatCodec {

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int INFINITY = 0x7f80_0000;
  private static final int LARGEST = 0x7f7f;

  @Override
  public void encode(float[] values, int count, PayloadWriter out, Scratch scratch) {
    int at = out.claim(Math.multiplyExact(count, Short.BYTES));
    byte[] bytes = out.array();
    for (int i = 0; i < count; i++) {
      SHORT.set(bytes, at + Short.BYTES * i, shorten(Float.floatToRawIntBits(values[i])));
    }
  }

  static short shorten(int bits) {
    int magnitude = bits & 0x7fff_ffff;
    int sign = bits >>> 31 << 15;
    if (magnitude >= INFINITY) {
      // The quiet bit keeps a NaN a NaN whose payload sat in the lower half.
      int quiet = magnitude > INFINITY ? 0x40 : 0;
      return (short) (sign | magnitude >>> 16 | quiet);
    }
    int rounded = magnitude + 0x7fff + (magnitude >>> 16 & 1) >>> 16;
    return (short) (sign | Math.min(rounded, LARGEST));
  }

  @Override
  public void decode(ByteBuffer in, float[] values, int count, Scratch scratch) {
    Remaining.require(in, (long) count * Short.BYTES);
    in.order(ByteOrder.LITTLE_ENDIAN);
    int at = in.position();
    for (int i = 0; i < count; i++) {
      values[i] = Float.intBitsToFloat(in.getShort(at + Short.BYTES * i) << 16);
    }
    in.position(at + count * Short.BYTES);
  }

  /** Half a unit in the last of 8 places; a whole one where the range ends. */
  @Override
  public double errorBound(float magnitude) {
    return Math.max(magnitude * 0x1p-8, 0x1p-134);
  }
}

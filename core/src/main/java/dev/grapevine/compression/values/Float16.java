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
 * IEEE 754 half precision, rounded to nearest even. A finite value beyond ±65504 becomes ±65504
 * instead of an infinity, which would spread through every model that averages it.
 */
@Kind(name = "float16", summary = "IEEE half precision: two bytes a value, 11 significant bits")
public final class Float16 implements FloatCodec {

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  static final float LARGEST = 65504f;

  @Override
  public void encode(float[] values, int count, PayloadWriter out, Scratch scratch) {
    int at = out.claim(Math.multiplyExact(count, Short.BYTES));
    byte[] bytes = out.array();
    for (int i = 0; i < count; i++) {
      float value = values[i];
      if (Math.abs(value) > LARGEST && Math.abs(value) <= Float.MAX_VALUE) {
        value = Math.copySign(LARGEST, value);
      }
      SHORT.set(bytes, at + Short.BYTES * i, Float.floatToFloat16(value));
    }
  }

  @Override
  public void decode(ByteBuffer in, float[] values, int count, Scratch scratch) {
    Remaining.require(in, (long) count * Short.BYTES);
    in.order(ByteOrder.LITTLE_ENDIAN);
    int at = in.position();
    for (int i = 0; i < count; i++) {
      values[i] = Float.float16ToFloat(in.getShort(at + Short.BYTES * i));
    }
    in.position(at + count * Short.BYTES);
  }

  /** Half a unit in the last of 11 places, half the smallest subnormal, or what is cut off. */
  @Override
  public double errorBound(float magnitude) {
    double rounding = Math.max(Math.min(magnitude, LARGEST) * 0x1p-11, 0x1p-25);
    return Math.max(rounding, magnitude - (double) LARGEST);
  }
}

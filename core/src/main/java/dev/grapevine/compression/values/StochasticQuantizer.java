package dev.grapevine.compression.values;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.random.SplitMix;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * k-bit stochastic quantization against the largest magnitude m: with s = 2^(k−1) − 1 levels on
 * either side of zero, a value x becomes ⌊x·s/m + u⌋ for a uniform u in [0, 1), so that its
 * expectation is x. With k = 2 the values are −m, 0 and m. Where QSGD scales by the 2-norm, the
 * largest magnitude gives a smaller variance at the same number of bits.
 *
 * <p>The noise is a hash of a seed and the position. A caller with its own random stream gives the
 * seed; otherwise it is a hash of the values, so that the same run always has the same bytes. A run
 * that holds a NaN or an infinity travels raw.
 */
@Kind(
    name = "stochastic",
    summary = "k-bit quantization, rounded at random so that it is right on average",
    paper = "D. Alistarh et al., QSGD, NeurIPS 2017")
public final class StochasticQuantizer implements FloatCodec {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * @param bits bits a value
   */
  public record Settings(@Doc("bits a value, from 2 to 16") @Default("4") int bits) {

    public Settings {
      SettingException.require(
          bits >= 2 && bits <= 16, "bits", "bits must be from 2 to 16: bits=" + bits);
    }
  }

  private final int bits;
  private final int levels;

  public StochasticQuantizer(Settings settings) {
    bits = settings.bits();
    levels = (1 << (bits - 1)) - 1;
  }

  @Override
  public void encode(float[] values, int count, PayloadWriter out, Scratch scratch) {
    long seed = count;
    for (int i = 0; i < count; i++) {
      seed = 31 * seed + Float.floatToRawIntBits(values[i]);
    }
    encode(values, count, seed, out);
  }

  /** As {@link #encode(float[], int, PayloadWriter)} with noise from {@code seed}. */
  public void encode(float[] values, int count, long seed, PayloadWriter out) {
    float magnitude = Form.magnitude(values, count);
    if (!Form.isFinite(magnitude)) {
      Form.writeRaw(values, count, out);
      return;
    }
    out.writeByte(Form.CODED);
    out.writeFloat(magnitude);
    int size = size(count);
    int at = out.claim(size + Integer.BYTES);
    int end = at + size;
    byte[] bytes = out.array();
    double scale = magnitude == 0 ? 0 : levels / (double) magnitude;
    int pending = 0;
    int used = 0;
    for (int i = 0; i < count; i++) {
      double noise = (SplitMix.finish(seed + i * SplitMix.GOLDEN_GAMMA) >>> 11) * 0x1p-53;
      // Shifted by the levels below zero, so that truncation is the floor.
      int level = Math.min(2 * levels, (int) (values[i] * scale + noise + levels));
      pending |= level << used;
      used += bits;
      INT.set(bytes, at, pending);
      at += used >>> 3;
      pending >>>= used & ~7;
      used &= 7;
    }
    out.truncate(end);
  }

  @Override
  public void decode(ByteBuffer in, float[] values, int count, Scratch scratch) {
    if (Form.readRaw(in, values, count)) {
      return;
    }
    int size = size(count);
    Remaining.require(in, Float.BYTES + (long) size);
    in.order(ByteOrder.LITTLE_ENDIAN);
    float magnitude = in.getFloat();
    if (!(magnitude >= 0 && magnitude <= Float.MAX_VALUE)) {
      throw new MalformedPayloadException("scale is no number: scale=" + magnitude);
    }
    int mask = (1 << bits) - 1;
    int pending = 0;
    int used = 0;
    for (int i = 0; i < count; i++) {
      while (used < bits) {
        pending |= (in.get() & 0xff) << used;
        used += Byte.SIZE;
      }
      int level = pending & mask;
      pending >>>= bits;
      used -= bits;
      if (level > 2 * levels) {
        throw new MalformedPayloadException(
            "level out of range: level=%d, largest=%d".formatted(level, 2 * levels));
      }
      values[i] = (float) ((level - levels) * (double) magnitude / levels);
    }
  }

  private int size(int count) {
    return Math.toIntExact(((long) count * bits + 7) / 8);
  }

  /** One step, and the rounding of the result. */
  @Override
  public double errorBound(float magnitude) {
    return magnitude / (double) levels * (1 + 1e-6) + Float.MIN_VALUE;
  }
}

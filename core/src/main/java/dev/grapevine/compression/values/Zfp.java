package dev.grapevine.compression.values;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * zfp in fixed-accuracy mode for one-dimensional float32 data. Behind one byte of form stands the
 * very bit stream that libzfp 1.0.0 writes and reads after {@code zfp_stream_set_accuracy}, without
 * a header. It ends with a whole byte, as in Debian's build, whose words are bytes; a library built
 * with words of 64 bits wants zeros up to the next word. A run that holds a NaN or an infinity,
 * which zfp cannot represent, travels raw.
 *
 * <p>Each block of four values gets a common exponent, becomes integers, is decorrelated by a
 * lifting transform and written bit plane by bit plane, from the top down to the plane that the
 * tolerance still needs.
 */
@Kind(
    name = "zfp",
    summary = "zfp in fixed-accuracy mode: an absolute tolerance, interoperable with libzfp",
    paper = "P. Lindstrom, Fixed-rate compressed floating-point arrays, 2014")
public final class Zfp implements FloatCodec {

  private static final double SMALLEST_TOLERANCE = 1e-24;
  private static final double LARGEST_TOLERANCE = 1e24;

  /** A block's exponent is written with this bias, in eight bits after a one. */
  static final int EXPONENT_BIAS = 127;

  /** Integers hold 30 bits behind the sign, so that the transform's sums do not overflow. */
  private static final int FRACTION_BITS = 30;

  /** Planes kept below the tolerance to make up for the transform's gain: 2(d+1), d = 1. */
  private static final int GUARD_PLANES = 4;

  private static final int NEGABINARY = 0xaaaa_aaaa;

  /**
   * @param tolerance the largest absolute error
   */
  public record Settings(
      @Doc("largest absolute error of a value, from 1e-24 to 1e24") @Default("0.001")
          double tolerance) {

    public Settings {
      SettingException.require(
          tolerance >= SMALLEST_TOLERANCE && tolerance <= LARGEST_TOLERANCE,
          "tolerance",
          "tolerance must be from 1e-24 to 1e24: tolerance=" + tolerance);
    }
  }

  private final double tolerance;
  private final int lowestExponent;

  public Zfp(Settings settings) {
    tolerance = settings.tolerance();
    lowestExponent = Math.getExponent(tolerance);
  }

  @Override
  public void encode(float[] values, int count, PayloadWriter out, Scratch scratch) {
    float magnitude = Form.magnitude(values, count);
    if (!Form.isFinite(magnitude)) {
      Form.writeRaw(values, count, out);
      return;
    }
    out.writeByte(Form.CODED);
    long blocks = (count + 3L) / 4;
    // Nine bits of header, one for each plane and value, and the seven that tests can add.
    long worst = blocks * (9 + 4L * planes(exponent(magnitude)) + 7) / 8;
    // Not claimed in the payload, which would keep that much alive.
    byte[] bytes = scratch.bytes("zfp.bytes", Math.toIntExact(worst + 2 * Long.BYTES));
    ZfpWriter writer = new ZfpWriter(bytes);
    int whole = count & ~3;
    for (int i = 0; i < whole; i += 4) {
      encodeBlock(values[i], values[i + 1], values[i + 2], values[i + 3], writer);
    }
    if (whole < count) {
      // zfp's own padding: the second value is repeated, then the first.
      float a = values[whole];
      float b = whole + 1 < count ? values[whole + 1] : a;
      float c = whole + 2 < count ? values[whole + 2] : b;
      encodeBlock(a, b, c, a, writer);
    }
    out.writeBytes(bytes, 0, writer.finish());
  }

  private void encodeBlock(float a, float b, float c, float d, ZfpWriter writer) {
    float largest =
        Math.max(Math.max(Math.abs(a), Math.abs(b)), Math.max(Math.abs(c), Math.abs(d)));
    int exponent = exponent(largest);
    int planes = planes(exponent);
    if (planes == 0 || largest == 0) {
      writer.write(0, 1);
      return;
    }
    writer.write(2L * (exponent + EXPONENT_BIAS) + 1, 9);
    float scale = powerOfTwo(FRACTION_BITS - exponent);
    int x = (int) (scale * a);
    int y = (int) (scale * b);
    int z = (int) (scale * c);
    int w = (int) (scale * d);

    x += w;
    x >>= 1;
    w -= x;
    z += y;
    z >>= 1;
    y -= z;
    x += z;
    x >>= 1;
    z -= x;
    w += y;
    w >>= 1;
    y -= w;
    w += y >> 1;
    y -= w >> 1;

    writer.writePlanes(negabinary(x), negabinary(y), negabinary(z), negabinary(w), planes);
  }

  @Override
  public void decode(ByteBuffer in, float[] values, int count, Scratch scratch) {
    if (Form.readRaw(in, values, count)) {
      return;
    }
    // Even a block of zeros takes a bit.
    Remaining.require(in, (count + 31L) / 32);
    int length = in.remaining();
    byte[] bytes = scratch.bytes("zfp.bytes", length + ZfpReader.BEYOND);
    in.get(in.position(), bytes, 0, length);
    Arrays.fill(bytes, length, length + ZfpReader.BEYOND, (byte) 0);
    ZfpReader reader = new ZfpReader(bytes, length, GUARD_PLANES - lowestExponent);
    int blocks = count / 4;
    for (int from = 0; from < blocks; from += ZfpReader.MOST) {
      int some = Math.min(ZfpReader.MOST, blocks - from);
      reader.read(some);
      for (int b = 0; b < some; b++) {
        join(reader, b, values, 4 * (from + b));
      }
    }
    int rest = count - 4 * blocks;
    if (rest > 0) {
      float[] last = new float[4];
      reader.read(1);
      join(reader, 0, last, 0);
      System.arraycopy(last, 0, values, 4 * blocks, rest);
    }
    in.position(in.position() + reader.bytesRead());
  }

  /** Turns the bits of a block into its values. */
  private static void join(ZfpReader reader, int block, float[] values, int at) {
    int exponent = reader.exponents()[block];
    long upper = reader.upper()[block];
    long lower = reader.lower()[block];
    int x = plain((int) upper << 16 | (int) lower & 0xffff);
    int y = plain((int) upper & 0xffff_0000 | (int) lower >>> 16);
    int z = plain((int) (upper >>> 32) << 16 | (int) (lower >>> 32) & 0xffff);
    int w = plain((int) (upper >>> 32) & 0xffff_0000 | (int) (lower >>> 48));

    y += w >> 1;
    w -= y >> 1;
    y += w;
    w <<= 1;
    w -= y;
    z += x;
    x <<= 1;
    x -= z;
    y += z;
    z <<= 1;
    z -= y;
    w += x;
    x <<= 1;
    x -= w;

    float scale = powerOfTwo(exponent - FRACTION_BITS);
    if (exponent < Float.MAX_EXPONENT - 2) {
      values[at] = scale * x;
      values[at + 1] = scale * y;
      values[at + 2] = scale * z;
      values[at + 3] = scale * w;
    } else {
      values[at] = finite(scale * x);
      values[at + 1] = finite(scale * y);
      values[at + 2] = finite(scale * z);
      values[at + 3] = finite(scale * w);
    }
  }

  /** How many planes of a block the tolerance needs, of 32. */
  private int planes(int exponent) {
    return Math.clamp(exponent - lowestExponent + GUARD_PLANES, 0, Integer.SIZE);
  }

  /** The e with 2^(e−1) ≤ magnitude < 2^e; −126 for subnormals. */
  private static int exponent(float magnitude) {
    return (Float.floatToRawIntBits(magnitude) >>> 23) - 126;
  }

  private static float powerOfTwo(int exponent) {
    return exponent >= Float.MIN_EXPONENT && exponent <= Float.MAX_EXPONENT
        ? Float.intBitsToFloat(exponent + EXPONENT_BIAS << 23)
        : Math.scalb(1f, exponent);
  }

  /** A value near the end of float's range may round beyond it. */
  private static float finite(float value) {
    return Math.max(-Float.MAX_VALUE, Math.min(Float.MAX_VALUE, value));
  }

  private static int negabinary(int value) {
    return value + NEGABINARY ^ NEGABINARY;
  }

  private static int plain(int negabinary) {
    return (negabinary ^ NEGABINARY) - NEGABINARY;
  }

  /** The tolerance, but no less than what 30 bits below a block's largest value can hold. */
  @Override
  public double errorBound(float magnitude) {
    return Math.max(tolerance, magnitude * 0x1p-22);
  }

  static MalformedPayloadException cutOff(long bits) {
    return new MalformedPayloadException("zfp stream is cut off: bits=" + bits);
  }
}

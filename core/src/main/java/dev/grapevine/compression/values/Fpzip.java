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

/**
 * fpzip for one-dimensional float32 data: behind one byte of form stands the very stream, header
 * included, that libfpzip 1.3 writes and reads for an array of count × 1 × 1 floats. With 32 bits
 * of precision it is lossless; with fewer, the lowest bits of each float are cut off, and a run
 * that holds a NaN or an infinity travels raw, as does one that would not get smaller.
 *
 * <p>Floats become integers of the same order; each is predicted by the one before. The sign and
 * the bit length of the difference are entropy coded, its lower bits follow as they are. Written
 * anew rather than bound to the library, which reads beyond its input when the bytes are forged.
 */
@Kind(
    name = "fpzip",
    summary = "fpzip by precision, lossless at 32 bits, interoperable with libfpzip",
    paper =
        "P. Lindstrom, M. Isenburg, Fast and efficient compression of floating-point data, 2006")
public final class Fpzip implements FloatCodec {

  private static final int LOSSLESS = 32;

  /** Sign and exponent. */
  private static final int LEADING_BITS = 9;

  /** Any arithmetic sets this bit of a NaN. */
  private static final int QUIET = 0x0040_0000;

  private static final int MAGIC = 'f' | 'p' << 8 | 'z' << 16;
  private static final int FORMAT = 0x0110;

  /** The library's mode of arithmetic; in one dimension it only shows in the sign of zero. */
  private static final int FLOATING_POINT = 1;

  /**
   * @param precision how many leading bits of a float32 are kept
   */
  public record Settings(
      @Doc("bits kept of each float32, from 10 to 32; 32 is lossless") @Default("32")
          int precision) {

    public Settings {
      SettingException.require(
          precision > LEADING_BITS && precision <= LOSSLESS,
          "precision",
          "precision must be from 10 to 32: precision=" + precision);
    }
  }

  private final int precision;
  private final int dropped;

  public Fpzip(Settings settings) {
    precision = settings.precision();
    dropped = LOSSLESS - precision;
  }

  @Override
  public void encode(float[] values, int count, PayloadWriter out, Scratch scratch) {
    boolean exact = precision == LOSSLESS;
    if (count == 0 || (!exact && !Form.isFinite(Form.magnitude(values, count)))) {
      Form.writeRaw(values, count, out);
      return;
    }
    int start = out.size();
    out.writeByte(Form.CODED);
    FpzipWriter writer = new FpzipWriter(out);
    writeHeader(writer, count);
    FpzipModel model = new FpzipModel(2 * precision + 1);
    int before = 0;
    for (int i = 0; i < count; i++) {
      int actual = forward(Float.floatToRawIntBits(values[i]));
      int predicted = forward(predict(before));
      if (actual == predicted) {
        writer.write(precision, model);
      } else {
        boolean above = Integer.compareUnsigned(predicted, actual) < 0;
        int difference = above ? actual - predicted : predicted - actual;
        int length = 31 - Integer.numberOfLeadingZeros(difference);
        writer.write(above ? precision + 1 + length : precision - 1 - length, model);
        writer.write(difference - (1 << length), length);
      }
      before = inverse(actual);
    }
    writer.finish();
    if (out.size() - start - 1L > 4L * count && exact) {
      out.truncate(start);
      Form.writeRaw(values, count, out);
    }
  }

  @Override
  public void decode(ByteBuffer in, float[] values, int count, Scratch scratch) {
    if (Form.readRaw(in, values, count)) {
      return;
    }
    FpzipReader reader = new FpzipReader(in);
    readHeader(reader, count);
    FpzipModel model = new FpzipModel(2 * precision + 1);
    int before = 0;
    for (int i = 0; i < count; i++) {
      int symbol = reader.read(model);
      int actual = forward(predict(before));
      if (symbol != precision) {
        boolean above = symbol > precision;
        int length = above ? symbol - precision - 1 : precision - 1 - symbol;
        int difference = (1 << length) + reader.read(length);
        actual += above ? difference : -difference;
      }
      before = inverse(actual);
      values[i] = Float.intBitsToFloat(before);
    }
  }

  private void writeHeader(FpzipWriter writer, int count) {
    for (int shift = 0; shift < 32; shift += 8) {
      writer.write(MAGIC >>> shift & 0xff, 8);
    }
    writer.write(FORMAT, 16);
    writer.write(FLOATING_POINT, 8);
    writer.write(0, 1);
    writer.write(precision, 7);
    for (int dimension : new int[] {count, 1, 1, 1}) {
      writer.write(dimension, 32);
    }
  }

  private void readHeader(FpzipReader reader, int count) {
    int magic = 0;
    for (int shift = 0; shift < 32; shift += 8) {
      magic |= reader.read(8) << shift;
    }
    int format = reader.read(16);
    int arithmetic = reader.read(8);
    int type = reader.read(1);
    int bits = reader.read(7);
    int[] size = {reader.read(32), reader.read(32), reader.read(32), reader.read(32)};
    // The library also writes 0 for full precision.
    boolean samePrecision = bits == precision || (bits == 0 && precision == LOSSLESS);
    if (magic != MAGIC
        || format != FORMAT
        || arithmetic != FLOATING_POINT
        || type != 0
        || !samePrecision
        || size[0] != count
        || size[1] != 1
        || size[2] != 1
        || size[3] != 1) {
      throw new MalformedPayloadException(
          "fpzip stream does not hold what it should: count=%d, expected=%d, precision=%d, expected=%d"
              .formatted(size[0], count, bits, precision));
    }
  }

  /** The float before; the library computes it as a sum with zeros, in which −0 becomes +0. */
  private static int predict(int before) {
    if (Float.isNaN(Float.intBitsToFloat(before))) {
      return before | QUIET;
    }
    return before == Integer.MIN_VALUE ? 0 : before;
  }

  /** The leading bits as an unsigned integer that falls as the float rises. */
  private int forward(int bits) {
    int mapped = ~bits >>> dropped;
    return mapped ^ -(mapped >>> (precision - 1)) >>> (dropped + 1);
  }

  private int inverse(int mapped) {
    return ~(mapped ^ -(mapped >>> (precision - 1)) >>> (dropped + 1)) << dropped;
  }

  /** The bits cut off from the largest significand, or from a subnormal. */
  @Override
  public double errorBound(float magnitude) {
    if (precision == LOSSLESS) {
      return 0;
    }
    double unit = Math.scalb(1.0, LEADING_BITS - precision);
    return Math.max(magnitude, Float.MIN_NORMAL) * unit;
  }
}

package dev.grapevine.compression.values;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * fpzip through the native library: a form, the stream's length, and a stream with fpzip's own
 * header for count × 1 × 1 floats. With 32 bits of precision it is lossless; with fewer, the lowest
 * bits of each float are cut off, and a run that holds a NaN or an infinity travels raw.
 *
 * <p>libfpzip does not check the end of its input. The stream is therefore decoded from a copy with
 * enough zeros behind it, and only after its header was found to match; still, prefer zfp where the
 * peers are not trusted.
 */
@Kind(
    name = "fpzip",
    summary = "fpzip by precision, lossless at 32 bits; needs the native library",
    paper =
        "P. Lindstrom, M. Isenburg, Fast and efficient compression of floating-point data, 2006")
public final class Fpzip implements FloatCodec {

  private static final int LOSSLESS = 32;

  /** Sign and exponent. */
  private static final int LEADING_BITS = 9;

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
  private final FpzipLibrary library;

  /**
   * @throws dev.grapevine.UserException when the native library is missing
   */
  public Fpzip(Settings settings) {
    precision = settings.precision();
    library = FpzipLibrary.load();
  }

  @Override
  public void encode(float[] values, int count, PayloadWriter out) {
    boolean exact = precision == LOSSLESS;
    if (count == 0 || (!exact && !Form.isFinite(Form.magnitude(values, count)))) {
      Form.writeRaw(values, count, out);
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(JAVA_FLOAT, count);
      MemorySegment.copy(values, 0, source, JAVA_FLOAT, 0, count);
      MemorySegment target = arena.allocate(room(count));
      int size = Math.toIntExact(library.compress(source, count, precision, target));
      if (size == 0 || (exact && size >= 4L * count)) {
        Form.writeRaw(values, count, out);
        return;
      }
      out.writeByte(Form.CODED);
      out.writeInt(size);
      int at = out.claim(size);
      MemorySegment.copy(target, JAVA_BYTE, 0, out.array(), at, size);
    }
  }

  @Override
  public void decode(ByteBuffer in, float[] values, int count) {
    if (Form.readRaw(in, values, count)) {
      return;
    }
    Incoming.require(in, Integer.BYTES);
    int size = in.order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (count == 0 || size <= 0 || size > in.remaining() || size > room(count)) {
      throw new MalformedPayloadException(
          "fpzip stream's length does not fit: length=%d, bytes=%d, values=%d"
              .formatted(size, in.remaining(), count));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(size + room(count));
      MemorySegment.copy(MemorySegment.ofBuffer(in), 0, source, 0, size);
      MemorySegment target = arena.allocate(JAVA_FLOAT, count);
      if (!library.decompress(source, count, precision, target)) {
        throw new MalformedPayloadException(
            "fpzip stream does not hold what it should: values=%d, precision=%d"
                .formatted(count, precision));
      }
      MemorySegment.copy(target, JAVA_FLOAT, 0, values, 0, count);
    }
    in.position(in.position() + size);
  }

  /** More than the coder can spend on so many floats, whatever they or the bytes are. */
  private static long room(int count) {
    return 1024 + 16L * count;
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

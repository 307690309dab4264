package dev.grapevine.message;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Whole float vectors as little-endian bytes. */
public final class Vectors {

  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Vectors() {}

  /** Appends all of {@code vector}. */
  public static void write(float[] vector, PayloadWriter out) {
    int at = out.claim(Math.multiplyExact(vector.length, Float.BYTES));
    MemorySegment.copy(vector, 0, MemorySegment.ofArray(out.array()), FLOAT, at, vector.length);
  }

  /** A payload of {@code vector} and nothing else. */
  public static Payload payload(float[] vector) {
    PayloadWriter out = new PayloadWriter(vector.length * Float.BYTES);
    write(vector, out);
    return out.finish();
  }

  /** Adds {@code weight} times the buffer's vector, read as by {@link #read}, to {@code sum}. */
  public static void addScaled(ByteBuffer in, float weight, float[] sum) {
    requireLength(in, sum.length);
    MemorySegment source = MemorySegment.ofBuffer(in);
    for (int i = 0; i < sum.length; i++) {
      sum[i] += weight * source.get(FLOAT, (long) i * Float.BYTES);
    }
    in.position(in.limit());
  }

  /** Reads exactly {@code vector.length} values from the buffer's position to its end. */
  public static void read(ByteBuffer in, float[] vector) {
    requireLength(in, vector.length);
    MemorySegment.copy(MemorySegment.ofBuffer(in), FLOAT, 0, vector, 0, vector.length);
    in.position(in.limit());
  }

  private static void requireLength(ByteBuffer in, int length) {
    if (in.remaining() != (long) length * Float.BYTES) {
      throw new MalformedPayloadException(
          "a vector of %d values needs %d bytes, the message has %d"
              .formatted(length, (long) length * Float.BYTES, in.remaining()));
    }
  }
}

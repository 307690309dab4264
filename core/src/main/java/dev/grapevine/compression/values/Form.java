package dev.grapevine.compression.values;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import java.nio.ByteBuffer;

/**
 * The first byte of codecs that cannot write everything: a run that holds a NaN or an infinity, or
 * that would not get smaller, travels raw.
 */
final class Form {

  static final int CODED = 0;
  static final int RAW = 1;

  private static final int INFINITY = 0x7f80_0000;

  private Form() {}

  /** The largest magnitude; an infinity or NaN when there is one. */
  static float magnitude(float[] values, int count) {
    // Bits of magnitudes stand in the order of the magnitudes, NaN above all.
    int largest = 0;
    for (int i = 0; i < count; i++) {
      largest = Math.max(largest, Float.floatToRawIntBits(values[i]) & 0x7fff_ffff);
    }
    return Float.intBitsToFloat(largest);
  }

  static boolean isFinite(float magnitude) {
    return (Float.floatToRawIntBits(magnitude) & 0x7fff_ffff) < INFINITY;
  }

  static void writeRaw(float[] values, int count, PayloadWriter out) {
    out.writeByte(RAW);
    RawFloats.write(values, count, out);
  }

  /** Reads the form; true when the run was raw and is now read. */
  static boolean readRaw(ByteBuffer in, float[] values, int count) {
    Remaining.require(in, 1);
    int form = in.get();
    if (form == RAW) {
      RawFloats.read(in, values, count);
      return true;
    }
    if (form != CODED) {
      throw new MalformedPayloadException("unknown form of values: form=" + form);
    }
    return false;
  }
}

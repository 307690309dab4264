package dev.grapevine.compression;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Family;
import java.nio.ByteBuffer;

/** Writes a run of floats, perhaps with a bounded error, and reads it back. Stateless. */
public interface FloatCodec {

  Family<Void, FloatCodec> FAMILY =
      new Family<>("float-codec", FloatCodec.class, Void.class, "how sent values are compressed");

  void encode(float[] values, int count, PayloadWriter out, Scratch scratch);

  /**
   * Reads exactly {@code count} values. Leaves the buffer right behind what was read.
   *
   * @throws MalformedPayloadException when the bytes are not what {@link #encode} writes for that
   *     many values
   */
  void decode(ByteBuffer in, float[] values, int count, Scratch scratch);

  /**
   * The largest absolute error that a finite value can suffer when the largest magnitude in the
   * same call is {@code magnitude}; zero for a lossless codec.
   */
  double errorBound(float magnitude);
}

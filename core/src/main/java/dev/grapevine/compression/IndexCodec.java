package dev.grapevine.compression;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Family;
import java.nio.ByteBuffer;

/** Writes strictly rising indices below a known universe, and reads them back. Stateless. */
public interface IndexCodec {

  Family<Void, IndexCodec> FAMILY =
      new Family<>(
          "index-codec", IndexCodec.class, Void.class, "how the positions of sent values travel");

  /** Writes the first {@code count} of {@code indices}, each in [0, universe). */
  void encode(int[] indices, int count, int universe, PayloadWriter out, Scratch scratch);

  /**
   * Reads what {@link #encode} wrote into {@code indices} and returns how many there are. Leaves
   * the buffer right behind what was read.
   *
   * @throws MalformedPayloadException when there are more than {@code indices} holds, or one is out
   *     of range or does not rise
   */
  int decode(ByteBuffer in, int universe, int[] indices, Scratch scratch);
}

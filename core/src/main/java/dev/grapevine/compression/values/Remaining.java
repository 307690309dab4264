package dev.grapevine.compression.values;

import dev.grapevine.message.MalformedPayloadException;
import java.nio.ByteBuffer;

/** Checks on bytes that came from another node. */
final class Remaining {

  private Remaining() {}

  static void require(ByteBuffer in, long needed) {
    if (in.remaining() < needed) {
      throw new MalformedPayloadException(
          "values are cut off: needed=%d, bytes=%d".formatted(needed, in.remaining()));
    }
  }
}

package dev.grapevine.sharing;

import dev.grapevine.message.MalformedPayloadException;
import java.nio.ByteBuffer;

/** Checks that every scheme makes on bytes from another node. */
public final class Incoming {

  private Incoming() {}

  /** Throws unless {@code needed} bytes are left. */
  public static void require(ByteBuffer in, long needed) {
    if (in.remaining() < needed) {
      throw new MalformedPayloadException(
          "message is cut off: needed=%d, bytes=%d".formatted(needed, in.remaining()));
    }
  }

  /** Throws unless all has been read. */
  public static void requireEnd(ByteBuffer in) {
    if (in.hasRemaining()) {
      throw new MalformedPayloadException(
          "message is longer than its content: bytes left=" + in.remaining());
    }
  }
}

package dev.grapevine.network;

import dev.grapevine.message.MalformedPayloadException;
import java.nio.ByteBuffer;

/**
 * What coverage-guided fuzzing calls: any bytes give a header within the limits, or are refused.
 * The fuzzer is not part of the build; with its jar at hand,
 *
 * <pre>
 *   java -cp jazzer.jar:core/target/classes:core/target/test-classes
 *       com.code_intelligence.jazzer.Jazzer --target_class=dev.grapevine.network.FrameFuzz</pre>
 */
public final class FrameFuzz {

  private static final int NODES = 100;
  private static final int LIMIT = 1 << 16;

  private FrameFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.remaining() >= FrameHeader.BYTES) {
      FrameHeader header;
      try {
        header = FrameHeader.read(in, NODES, LIMIT);
      } catch (MalformedPayloadException refused) {
        return;
      }
      boolean within =
          header.length() >= 0
              && header.length() <= LIMIT
              && header.metadata() >= 0
              && header.metadata() <= header.length()
              && header.sender() >= 0
              && header.sender() < NODES
              && header.receiver() >= 0
              && header.receiver() < NODES
              && header.round() >= 0;
      if (!within) {
        throw new AssertionError("accepted a header out of bounds: " + header);
      }
      in.position(Math.min(in.limit(), in.position() + header.length()));
    }
  }
}

package dev.grapevine.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.message.MalformedPayloadException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameHeaderTest {

  private static final int NODES = 100;
  private static final int LIMIT = 1 << 16;

  private static byte[] encode(FrameHeader header) {
    ByteBuffer bytes = ByteBuffer.allocate(FrameHeader.BYTES);
    header.write(bytes);
    return bytes.array();
  }

  @Test
  void whatIsWrittenIsReadBack() {
    FrameHeader header = new FrameHeader(FrameKind.MESSAGE, 7, 255, 0, 99, 123_456, LIMIT, 17);
    assertThat(FrameHeader.read(ByteBuffer.wrap(encode(header)), NODES, LIMIT)).isEqualTo(header);
  }

  @Test
  void aReceiverThatDoesNotExistIsRefusedByName() {
    byte[] bytes = encode(new FrameHeader(FrameKind.GOODBYE, NODES, 0, 0, 1, 2, 0, 0));
    assertThatThrownBy(() -> FrameHeader.read(ByteBuffer.wrap(bytes), NODES, LIMIT))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage("no such node: receiver=100, nodes=100");
  }

  @Test
  void aLengthOverTheLimitIsRefusedByName() {
    byte[] bytes = encode(new FrameHeader(FrameKind.MESSAGE, 0, 0, 0, 1, 2, LIMIT + 1, 0));
    assertThatThrownBy(() -> FrameHeader.read(ByteBuffer.wrap(bytes), NODES, LIMIT))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage("payload over the limit: length=65537, limit=65536");
  }

  /** Whatever the bytes, the answer is a header within the limits or the one exception. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void mutatedHeadersAreReadWithinTheLimitsOrRefused(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int accepted = 0;
    for (int attempt = 0; attempt < 10_000; attempt++) {
      byte[] bytes =
          encode(
              new FrameHeader(
                  FrameKind.MESSAGE,
                  random.nextInt(NODES),
                  random.nextInt(256),
                  random.nextInt(256),
                  random.nextInt(NODES),
                  random.nextInt(1000),
                  random.nextInt(LIMIT + 1),
                  0));
      int mutations = random.nextInt(4);
      for (int i = 0; i < mutations; i++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      try {
        FrameHeader header = FrameHeader.read(ByteBuffer.wrap(bytes), NODES, LIMIT);
        accepted++;
        assertThat(header.length()).isBetween(0, LIMIT);
        assertThat(header.metadata()).isBetween(0, header.length());
        assertThat(header.sender()).isBetween(0, NODES - 1);
        assertThat(header.receiver()).isBetween(0, NODES - 1);
        assertThat(header.round()).isNotNegative();
      } catch (MalformedPayloadException refused) {
        assertThat(refused).hasMessageContaining("=");
      }
    }
    assertThat(accepted).isBetween(2_000, 9_800);
  }
}

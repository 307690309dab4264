package dev.grapevine.network;

import dev.grapevine.message.MalformedPayloadException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The fixed part at the head of every frame, little-endian, {@value #BYTES} bytes; the payload
 * follows. See {@code docs/wire-format.md}.
 *
 * @param kind what the frame is for
 * @param receiver the node it is for; in a {@link FrameKind#GOODBYE}, which is for all, the sender
 * @param tag the message's tag, from 0 to 255
 * @param channel which exchange it belongs to, from 0 to 255
 * @param sender the node that sent it
 * @param round the sender's round
 * @param length bytes of payload
 * @param metadata how many of them are metadata
 * @param life tells lives of the two nodes apart, from 0 to 255; it has the byte of {@code
 *     receiver} that no number of a node needs
 */
public record FrameHeader(
    FrameKind kind,
    int receiver,
    int tag,
    int channel,
    int sender,
    int round,
    int length,
    int metadata,
    int life) {

  private static final int LIFE_SHIFT = 24;
  private static final int NODE_MASK = (1 << LIFE_SHIFT) - 1;

  /** A frame of a run in which nobody comes back. */
  public FrameHeader(
      FrameKind kind,
      int receiver,
      int tag,
      int channel,
      int sender,
      int round,
      int length,
      int metadata) {
    this(kind, receiver, tag, channel, sender, round, length, metadata, 0);
  }

  /** Size of an encoded header. */
  public static final int BYTES = 24;

  static final int VERSION = 4;

  /** What messages take on the wire: every clock, link and table counts by this. */
  public static long framed(long messages, long payloadBytes) {
    return payloadBytes + messages * BYTES;
  }

  void write(ByteBuffer out) {
    out.order(ByteOrder.LITTLE_ENDIAN)
        .putInt(receiver | life << LIFE_SHIFT)
        .put((byte) VERSION)
        .put((byte) kind.code())
        .put((byte) tag)
        .put((byte) channel)
        .putInt(sender)
        .putInt(round)
        .putInt(length)
        .putInt(metadata);
  }

  /**
   * Reads and checks a header, before anything is allocated for its payload.
   *
   * @param nodes how many nodes there are
   * @param limit the largest payload allowed, in bytes
   * @throws MalformedPayloadException when it is not a header or breaks a limit
   */
  static FrameHeader read(ByteBuffer in, int nodes, int limit) {
    in.order(ByteOrder.LITTLE_ENDIAN);
    int addressed = in.getInt();
    int receiver = addressed & NODE_MASK;
    int life = addressed >>> LIFE_SHIFT;
    int version = in.get() & 0xff;
    require(version == VERSION, "unknown version: version=%d, expected=%d", version, VERSION);
    int code = in.get() & 0xff;
    FrameKind kind =
        FrameKind.of(code)
            .orElseThrow(
                () -> new MalformedPayloadException("unknown kind of frame: kind=" + code));
    require(
        receiver >= 0 && receiver < nodes, "no such node: receiver=%d, nodes=%d", receiver, nodes);
    int tag = in.get() & 0xff;
    int channel = in.get() & 0xff;
    int sender = in.getInt();
    require(sender >= 0 && sender < nodes, "no such node: sender=%d, nodes=%d", sender, nodes);
    int round = in.getInt();
    require(round >= 0, "round is negative: round=%d", round);
    int length = in.getInt();
    require(
        length >= 0 && length <= limit,
        "payload over the limit: length=%d, limit=%d",
        length,
        limit);
    int metadata = in.getInt();
    require(
        metadata >= 0 && metadata <= length,
        "more metadata than payload: metadata=%d, length=%d",
        metadata,
        length);
    require(kind.isMessage() || length == 0, "a %s frame has no payload: length=%d", kind, length);
    return new FrameHeader(kind, receiver, tag, channel, sender, round, length, metadata, life);
  }

  private static void require(boolean holds, String message, Object... values) {
    if (!holds) {
      throw new MalformedPayloadException(message.formatted(values));
    }
  }
}

package dev.grapevine.network;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.security.LinkChannel;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Frames over a connection. Blocking calls park the virtual thread that makes them. One thread may
 * read while another writes; who writes is the caller's to sort out.
 *
 * <p>Payloads are copied through the JDK's per-carrier buffers, a chunk at a time: nothing is held
 * while a thread waits, so that an idle link costs no buffer.
 */
final class FrameChannel {

  /** Bytes handed to one system call: large enough to make it cheap, small enough for the cache. */
  private static final int CHUNK = 128 << 10;

  /** Lets everything go at once. */
  static final Transport.Gate OPEN = bytes -> {};

  /** What a length alone can make us allocate; more only as bytes really arrive. */
  private static final int TRUSTED = 4 << 20;

  /** A payload above this, in bytes, is not kept for the case that the next is the same. */
  private static final int KEPT = 16 << 20;

  /**
   * Which ends serve several nodes. A model that goes to several of them crosses the connection
   * once; the end that reads keeps the last payload for that.
   *
   * @param there at the other end, to which this one writes
   * @param here at this end
   */
  record Several(boolean there, boolean here) {

    /** A connection between two nodes. */
    static final Several NEITHER = new Several(false, false);
  }

  private final LinkChannel channel;
  private final int nodes;
  private final int limit;
  private final Several several;
  private @Nullable Payload lastWritten;
  private @Nullable Payload lastRead;
  private final ByteBuffer outgoingHeader = ByteBuffer.allocate(FrameHeader.BYTES);
  private final ByteBuffer incomingHeader = ByteBuffer.allocate(FrameHeader.BYTES);

  /**
   * @param nodes how many nodes there are
   * @param limit the largest payload accepted, in bytes
   */
  FrameChannel(LinkChannel channel, int nodes, int limit, Several several) {
    this.channel = channel;
    this.nodes = nodes;
    this.limit = limit;
    this.several = several;
  }

  void write(int receiver, Message message) throws IOException, InterruptedException {
    write(receiver, message, OPEN);
  }

  /**
   * Writes a message chunk by chunk.
   *
   * @param gate asked before each chunk; who is interrupted there has broken the stream
   */
  void write(int receiver, Message message, Transport.Gate gate)
      throws IOException, InterruptedException {
    Payload payload = message.payload();
    boolean isSame = payload == lastWritten;
    lastWritten = several.there() && payload.size() <= KEPT ? payload : null;
    FrameHeader header =
        new FrameHeader(
            isSame ? FrameKind.SAME : FrameKind.MESSAGE,
            receiver,
            message.tag(),
            message.channel(),
            message.sender(),
            message.round(),
            payload.size(),
            payload.metadataSize(),
            message.life());
    ByteBuffer bytes = isSame ? ByteBuffer.allocate(0) : payload.buffer();
    int end = bytes.limit();
    bytes.limit(Math.min(end, CHUNK));
    gate.await(bytes.limit());
    write(header, bytes);
    while (bytes.position() < end) {
      bytes.limit(Math.min(end, bytes.position() + CHUNK));
      gate.await(bytes.limit());
      channel.write(bytes);
    }
  }

  /** Writes a frame without a payload. */
  void write(FrameKind kind, int receiver, int sender) throws IOException {
    write(new FrameHeader(kind, receiver, 0, 0, sender, 0, 0, 0), ByteBuffer.allocate(0));
  }

  /** Writes a header, and what of the first chunk goes along with it. */
  private void write(FrameHeader header, ByteBuffer first) throws IOException {
    outgoingHeader.clear();
    header.write(outgoingHeader);
    outgoingHeader.flip();
    ByteBuffer[] both = {outgoingHeader, first};
    while (outgoingHeader.hasRemaining()) {
      channel.write(both);
    }
  }

  /** The next frame's header; null if the stream ends before it. */
  @Nullable FrameHeader readHeader() throws IOException {
    incomingHeader.clear();
    while (incomingHeader.hasRemaining()) {
      if (channel.read(incomingHeader) < 0) {
        if (incomingHeader.position() == 0) {
          return null;
        }
        throw new EOFException("the stream ends inside a header");
      }
    }
    return FrameHeader.read(incomingHeader.flip(), nodes, limit);
  }

  /** The message that a header announces. */
  Message readMessage(FrameHeader header) throws IOException {
    Payload payload = header.kind() == FrameKind.SAME ? same(header) : readPayload(header);
    lastRead = several.here() && payload.size() <= KEPT ? payload : null;
    return new Message(
        header.sender(), header.tag(), header.channel(), header.round(), payload, header.life());
  }

  private Payload same(FrameHeader header) {
    Payload last = lastRead;
    if (last == null
        || last.size() != header.length()
        || last.metadataSize() != header.metadata()) {
      throw new MalformedPayloadException(
          "not the payload of the message before: length=%d, metadata=%d"
              .formatted(header.length(), header.metadata()));
    }
    return last;
  }

  private Payload readPayload(FrameHeader header) throws IOException {
    int length = header.length();
    byte[] bytes = new byte[Math.min(length, TRUSTED)];
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.position() < length) {
      if (in.position() == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
        in = ByteBuffer.wrap(bytes).position(in.position());
      }
      in.limit(Math.min(bytes.length, in.position() + CHUNK));
      if (channel.read(in) < 0) {
        throw new EOFException("the stream ends inside a payload");
      }
    }
    return Payload.of(bytes, length, header.metadata());
  }

  static void require(boolean holds, String otherwise, Object... values) {
    if (!holds) {
      throw new MalformedPayloadException(otherwise.formatted(values));
    }
  }
}

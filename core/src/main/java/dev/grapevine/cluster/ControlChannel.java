package dev.grapevine.cluster;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.security.LinkChannel;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Control messages over a connection. A message that is large travels in pieces, between which
 * others may pass: a sign of life must not wait for the sum of all models. One thread reads; any
 * may write.
 */
final class ControlChannel {

  /** The largest piece. */
  private static final int PIECE = 64 << 10;

  /** The largest message: the sum of models of 100 million parameters. */
  private static final int LARGEST = 1 << 30;

  private static final int HEADER = Integer.BYTES + 1;

  /** What kind of piece follows. */
  private static final byte WHOLE = 0;

  private static final byte MORE = 1;
  private static final byte LAST = 2;

  private final LinkChannel channel;
  private final ReentrantLock writing = new ReentrantLock();
  private final ReentrantLock writingLarge = new ReentrantLock();
  private byte[] large = {};
  private int largeSize;

  ControlChannel(LinkChannel channel) {
    this.channel = channel;
  }

  /** Sends a message; several threads may. */
  void send(Control message) throws IOException {
    byte[] bytes = RecordCodec.encode(Control.class, message);
    if (bytes.length <= PIECE) {
      write(WHOLE, bytes, 0, bytes.length);
      return;
    }
    writingLarge.lock();
    try {
      for (int at = 0; at < bytes.length; at += PIECE) {
        int length = Math.min(PIECE, bytes.length - at);
        write(at + length == bytes.length ? LAST : MORE, bytes, at, length);
      }
    } finally {
      writingLarge.unlock();
    }
  }

  private void write(byte kind, byte[] bytes, int from, int length) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(HEADER + length);
    piece.putInt(length).put(kind).put(bytes, from, length).flip();
    writing.lock();
    try {
      channel.writeFully(piece);
    } finally {
      writing.unlock();
    }
  }

  /**
   * The next message; null when the other end has closed the connection.
   *
   * @throws MalformedPayloadException when it is none
   */
  @Nullable Control receive() throws IOException {
    while (true) {
      ByteBuffer header = ByteBuffer.allocate(HEADER);
      if (!channel.readFully(header)) {
        if (header.position() == 0) {
          return null;
        }
        throw new EOFException("the stream ends inside a message");
      }
      int length = header.flip().getInt();
      if (length < 1 || length > PIECE) {
        throw new MalformedPayloadException(
            "no control message: length=%d, limit=%d".formatted(length, PIECE));
      }
      ByteBuffer piece = ByteBuffer.allocate(length);
      if (!channel.readFully(piece)) {
        throw new EOFException("the stream ends inside a message");
      }
      Control message = message(header.get(), piece.array());
      if (message != null) {
        return message;
      }
    }
  }

  private @Nullable Control message(byte kind, byte[] piece) {
    if (kind == WHOLE) {
      return RecordCodec.decode(Control.class, ByteBuffer.wrap(piece));
    }
    if (kind != MORE && kind != LAST || largeSize + piece.length > LARGEST) {
      throw new MalformedPayloadException(
          "no piece of a message: kind=%d, size=%d".formatted(kind, largeSize + piece.length));
    }
    if (largeSize + piece.length > large.length) {
      large = Arrays.copyOf(large, Math.max(2 * large.length, largeSize + piece.length));
    }
    System.arraycopy(piece, 0, large, largeSize, piece.length);
    largeSize += piece.length;
    if (kind == MORE) {
      return null;
    }
    Control message = RecordCodec.decode(Control.class, ByteBuffer.wrap(large, 0, largeSize));
    largeSize = 0;
    large = new byte[0];
    return message;
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is gone either way.
      return;
    }
  }
}

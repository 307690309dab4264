package dev.grapevine.network;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.security.Arrival;
import dev.grapevine.security.LinkChannel;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One end of a connection between two nodes. Blocking calls park the virtual thread that makes
 * them, so that a slow receiver slows its senders down.
 *
 * <p>Payloads are copied through the JDK's per-carrier buffers, a chunk at a time: nothing is held
 * while a thread waits, so that an idle link costs no buffer.
 */
final class TcpLink {

  /** Bytes handed to one system call: large enough to make it cheap, small enough for the cache. */
  private static final int CHUNK = 128 << 10;

  /** What a length alone can make us allocate; more only as bytes really arrive. */
  private static final int TRUSTED = 4 << 20;

  private final LinkChannel channel;
  private final int local;
  private final int peer;
  private final ReentrantLock writing = new ReentrantLock();
  private final ByteBuffer outgoingHeader = ByteBuffer.allocate(FrameHeader.BYTES);
  private boolean sealed;
  private volatile long lastUse;

  /**
   * @param use when it was made, in the count of uses: a new link is not one to close for its age
   */
  TcpLink(LinkChannel channel, int local, int peer, long use) {
    this.channel = channel;
    this.local = local;
    this.peer = peer;
    this.lastUse = use;
  }

  int local() {
    return local;
  }

  int peer() {
    return peer;
  }

  long lastUse() {
    return lastUse;
  }

  /**
   * Lets the peer in.
   *
   * @param register makes the link known; nobody can seal it before the answer is on its way
   */
  void welcome(Arrival arrival, Runnable register) throws IOException {
    writing.lock();
    try {
      register.run();
      arrival.welcome();
    } finally {
      writing.unlock();
    }
  }

  /** Sends a message; false if the link has been sealed and another must be opened. */
  boolean send(Message message, long use) throws IOException, InterruptedException {
    lastUse = use;
    Payload payload = message.payload();
    FrameHeader header =
        new FrameHeader(
            FrameKind.MESSAGE,
            message.tag(),
            message.channel(),
            message.sender(),
            message.round(),
            payload.size(),
            payload.metadataSize());
    return write(header, payload.buffer());
  }

  /** Says that the local node will send no more; false if the link has been sealed. */
  boolean sayGoodbye() throws IOException, InterruptedException {
    return write(new FrameHeader(FrameKind.GOODBYE, 0, 0, local, 0, 0, 0), ByteBuffer.allocate(0));
  }

  private boolean write(FrameHeader header, ByteBuffer payload)
      throws IOException, InterruptedException {
    writing.lockInterruptibly();
    try {
      if (sealed) {
        return false;
      }
      outgoingHeader.clear();
      header.write(outgoingHeader);
      outgoingHeader.flip();
      int end = payload.limit();
      payload.limit(Math.min(end, CHUNK));
      ByteBuffer[] first = {outgoingHeader, payload};
      while (outgoingHeader.hasRemaining()) {
        channel.write(first);
      }
      while (payload.position() < end) {
        payload.limit(Math.min(end, payload.position() + CHUNK));
        channel.write(payload);
      }
      return true;
    } finally {
      writing.unlock();
    }
  }

  /** Sends no more; what the peer has sent before it notices still arrives. */
  void seal() {
    writing.lock();
    try {
      if (!sealed) {
        sealed = true;
        channel.shutdownOutput();
      }
    } catch (IOException e) {
      close();
    } finally {
      writing.unlock();
    }
  }

  /** Like {@link #seal}, unless the link is just being written to. */
  boolean trySeal() {
    if (!writing.tryLock()) {
      return false;
    }
    try {
      seal();
      return true;
    } finally {
      writing.unlock();
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing is lost: the peer sees the end of the stream either way.
      return;
    }
  }

  /** Hands everything that arrives to the inbox, until the peer ends the stream. */
  void readAll(Inbox inbox, int nodes, int limit) throws IOException, InterruptedException {
    ByteBuffer headerBytes = ByteBuffer.allocate(FrameHeader.BYTES);
    while (readFully(channel, headerBytes.clear())) {
      FrameHeader header = FrameHeader.read(headerBytes.flip(), nodes, limit);
      if (header.sender() != peer) {
        throw new MalformedPayloadException(
            "a frame of someone else: sender=%d, peer=%d".formatted(header.sender(), peer));
      }
      switch (header.kind()) {
        case MESSAGE -> inbox.deliver(local, readMessage(header));
        case GOODBYE -> inbox.gone(local, peer);
      }
    }
  }

  private Message readMessage(FrameHeader header) throws IOException {
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
    return new Message(
        header.sender(),
        header.tag(),
        header.channel(),
        header.round(),
        Payload.of(bytes, length, header.metadata()));
  }

  /** Fills the buffer; false if the stream ends before its first byte. */
  private static boolean readFully(LinkChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        if (buffer.position() == 0) {
          return false;
        }
        throw new EOFException("the stream ends inside a header");
      }
    }
    return true;
  }
}

package dev.grapevine.security;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * TLS over a socket's channel. Several records go to the system in one call, which a plain {@code
 * SSLSocket} does not do.
 *
 * <p>Keys change every so many bytes (RFC 8446, 4.6.3), at the wish of either end; the answer to
 * that wish is written by whoever writes. The reader never waits for a writer: were both ends'
 * writers waiting for room and both readers for their writers, nothing would move again.
 */
final class TlsChannel implements LinkChannel {

  /** How many records are sent or received with one call. */
  private static final int RECORDS = 4;

  private static final ByteBuffer[] NOTHING = {ByteBuffer.allocate(0)};

  private final SocketChannel socket;
  private final SSLEngine engine;
  private final ReentrantLock writing = new ReentrantLock();

  /** Encrypted bytes that have arrived, between position and limit. */
  private final ByteBuffer arrived;

  /** Encrypted bytes to send, before the position. */
  private final ByteBuffer leaving;

  /** Bytes of a record for which the reader's buffer had no room, between position and limit. */
  private final ByteBuffer spare;

  /**
   * @param begun what was read of the connection already
   */
  TlsChannel(SocketChannel socket, SSLEngine engine, ByteBuffer begun) {
    this.socket = socket;
    this.engine = engine;
    int packet = engine.getSession().getPacketBufferSize();
    arrived = ByteBuffer.allocate(RECORDS * packet).put(begun).flip();
    leaving = ByteBuffer.allocate(RECORDS * packet);
    spare = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).flip();
  }

  /** Agrees on keys. When it returns at the client's end, the server may not have decided yet. */
  void handshake() throws IOException {
    try {
      engine.beginHandshake();
      HandshakeStatus status = engine.getHandshakeStatus();
      while (status != HandshakeStatus.FINISHED && status != HandshakeStatus.NOT_HANDSHAKING) {
        status =
            switch (status) {
              case NEED_WRAP -> wrapAll(NOTHING, 0, 1);
              case NEED_TASK -> runTasks();
              case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> handshakeUnwrap();
              case FINISHED, NOT_HANDSHAKING -> status;
            };
      }
    } catch (SSLException e) {
      sayWhy();
      throw e;
    }
  }

  private HandshakeStatus handshakeUnwrap() throws IOException {
    while (true) {
      SSLEngineResult result = engine.unwrap(arrived, spare.clear());
      spare.flip();
      switch (result.getStatus()) {
        case OK -> {
          return result.getHandshakeStatus();
        }
        case BUFFER_UNDERFLOW -> {
          if (!readMore()) {
            throw new EOFException("it closed the connection while keys were being agreed on");
          }
        }
        case CLOSED ->
            throw new EOFException("it ended the connection instead of agreeing on keys");
        case BUFFER_OVERFLOW -> throw new SSLException("a record larger than it may be");
      }
    }
  }

  private HandshakeStatus runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
    return engine.getHandshakeStatus();
  }

  /** Tells the other end in TLS's own way what was wrong, if that is still possible. */
  private void sayWhy() {
    try {
      wrapAll(NOTHING, 0, 1);
    } catch (IOException e) {
      // The reason that matters is thrown by the caller.
      return;
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return 0;
    }
    int begin = target.position();
    while (true) {
      if (spare.hasRemaining()) {
        int count = Math.min(spare.remaining(), target.remaining());
        target.put(spare.slice(spare.position(), count));
        spare.position(spare.position() + count);
        return target.position() - begin;
      }
      SSLEngineResult result = engine.unwrap(arrived, target);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        result = engine.unwrap(arrived, spare.clear());
        spare.flip();
      }
      afterUnwrap(result.getHandshakeStatus());
      switch (result.getStatus()) {
        case OK -> {
          boolean hasMore = target.hasRemaining() && arrived.hasRemaining();
          if (target.position() > begin && !hasMore) {
            return target.position() - begin;
          }
        }
        case BUFFER_UNDERFLOW -> {
          if (target.position() > begin) {
            return target.position() - begin;
          }
          if (!readMore()) {
            throw new EOFException("the connection was cut off");
          }
        }
        case CLOSED -> {
          return target.position() > begin ? target.position() - begin : -1;
        }
        case BUFFER_OVERFLOW -> throw new SSLException("a record larger than it may be");
      }
    }
  }

  /** Does what the other end asks for, unless a writer is at it: then he does it. */
  private void afterUnwrap(HandshakeStatus before) throws IOException {
    HandshakeStatus status = before == HandshakeStatus.NEED_TASK ? runTasks() : before;
    if (status == HandshakeStatus.NEED_WRAP && writing.tryLock()) {
      try {
        wrapAll(NOTHING, 0, 1);
      } finally {
        writing.unlock();
      }
    }
  }

  private boolean readMore() throws IOException {
    arrived.compact();
    try {
      return socket.read(arrived) >= 0;
    } finally {
      arrived.flip();
    }
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return (int) write(new ByteBuffer[] {source}, 0, 1);
  }

  @Override
  public long write(ByteBuffer[] sources) throws IOException {
    return write(sources, 0, sources.length);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    long before = remaining(sources, offset, length);
    writing.lock();
    try {
      wrapAll(sources, offset, length);
    } finally {
      writing.unlock();
    }
    return before - remaining(sources, offset, length);
  }

  private static long remaining(ByteBuffer[] sources, int offset, int length) {
    long sum = 0;
    for (int i = offset; i < offset + length; i++) {
      sum += sources[i].remaining();
    }
    return sum;
  }

  /** Encrypts and sends all that there is to send, and what the engine itself has to say. */
  private HandshakeStatus wrapAll(ByteBuffer[] sources, int offset, int length) throws IOException {
    while (true) {
      SSLEngineResult result = engine.wrap(sources, offset, length, leaving);
      HandshakeStatus status = result.getHandshakeStatus();
      switch (result.getStatus()) {
        case OK -> {
          if (status == HandshakeStatus.NEED_TASK && remaining(sources, offset, length) > 0) {
            status = runTasks();
          }
          if (status != HandshakeStatus.NEED_WRAP && remaining(sources, offset, length) == 0) {
            flush();
            return status;
          }
        }
        case BUFFER_OVERFLOW -> flush();
        case CLOSED -> {
          flush();
          if (remaining(sources, offset, length) > 0) {
            throw new ClosedChannelException();
          }
          return status;
        }
        case BUFFER_UNDERFLOW -> throw new SSLException("nothing to encrypt");
      }
    }
  }

  private void flush() throws IOException {
    leaving.flip();
    try {
      while (leaving.hasRemaining()) {
        socket.write(leaving);
      }
    } finally {
      leaving.clear();
    }
  }

  @Override
  public void shutdownOutput() throws IOException {
    writing.lock();
    try {
      if (!engine.isOutboundDone()) {
        engine.closeOutbound();
        wrapAll(NOTHING, 0, 1);
      }
      socket.shutdownOutput();
    } finally {
      writing.unlock();
    }
  }

  @Override
  public Optional<X509Certificate> peerCertificate() {
    try {
      return Optional.of((X509Certificate) engine.getSession().getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }

  /** What was agreed on. */
  String cipherSuite() {
    return engine.getSession().getProtocol() + " " + engine.getSession().getCipherSuite();
  }

  @Override
  public SocketChannel socket() {
    return socket;
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

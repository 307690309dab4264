package dev.grapevine.security;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.Optional;

/**
 * A connection whose other end is known. One thread may read while another writes; both block. An
 * interrupted thread closes it, like a socket's channel.
 */
public interface LinkChannel extends ByteChannel, GatheringByteChannel {

  /** Says that nothing more will be written; the other direction stays open. */
  void shutdownOutput() throws IOException;

  /** The certificate of the other end; empty on a connection that is not encrypted. */
  Optional<X509Certificate> peerCertificate();

  /** The socket beneath, for its options and addresses. */
  SocketChannel socket();

  /** Writes all of a buffer. */
  default void writeFully(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      write(buffer);
    }
  }

  /** Fills a buffer; false if the stream ends before. */
  default boolean readFully(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (read(buffer) < 0) {
        return false;
      }
    }
    return true;
  }
}

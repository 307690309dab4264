package dev.grapevine.security;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** A connection that is not encrypted. */
record PlainChannel(SocketChannel socket) implements LinkChannel {

  @Override
  public int read(ByteBuffer target) throws IOException {
    return socket.read(target);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return socket.write(source);
  }

  @Override
  public long write(ByteBuffer[] sources) throws IOException {
    return socket.write(sources);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return socket.write(sources, offset, length);
  }

  @Override
  public void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public Optional<X509Certificate> peerCertificate() {
    return Optional.empty();
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

package dev.grapevine.cluster;

import dev.grapevine.security.LinkChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A worker that does nothing but remember what it was told. */
final class Remembering {

  /** Gives back what was written to it. */
  private static final class Loop implements LinkChannel {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private int at;

    @Override
    public int read(ByteBuffer buffer) {
      int count = Math.min(buffer.remaining(), written.size() - at);
      buffer.put(written.toByteArray(), at, count);
      at += count;
      return count == 0 ? -1 : count;
    }

    @Override
    public int write(ByteBuffer buffer) {
      int count = buffer.remaining();
      while (buffer.hasRemaining()) {
        written.write(buffer.get());
      }
      return count;
    }

    @Override
    public long write(ByteBuffer[] buffers, int from, int length) {
      long count = 0;
      for (int i = from; i < from + length; i++) {
        count += write(buffers[i]);
      }
      return count;
    }

    @Override
    public long write(ByteBuffer[] buffers) {
      return write(buffers, 0, buffers.length);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}

    @Override
    public void shutdownOutput() {}

    @Override
    public Optional<X509Certificate> peerCertificate() {
      return Optional.empty();
    }

    @Override
    public SocketChannel socket() {
      throw new UnsupportedOperationException("there is none");
    }
  }

  private final Member member;

  Remembering(int rank, int world) {
    Control.Join join =
        new Control.Join(
            Control.VERSION,
            "test",
            rank,
            world,
            new int[0],
            "",
            "",
            "here",
            "127.0.0.1",
            0,
            "",
            0,
            new byte[0],
            0);
    member = new Member(join, new ControlChannel(new Loop()));
  }

  Member member() {
    return member;
  }

  /** What it was told since this was asked last. */
  List<Control> heard() throws IOException {
    List<Control> heard = new ArrayList<>();
    for (Control next = member.channel().receive();
        next != null;
        next = member.channel().receive()) {
      heard.add(next);
    }
    return heard;
  }
}

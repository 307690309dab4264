package dev.grapevine.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;

/** Sockets of connections between workers, and to the coordinator. */
final class LinkSockets {

  /**
   * What a socket of the file system is to hold on its way, in bytes, so that a model is written in
   * one go; systems give what they allow.
   */
  private static final int ON_THE_WAY = 1 << 20;

  private LinkSockets() {}

  /** Connects to an address of either kind. */
  static SocketChannel connect(SocketAddress address) throws IOException {
    SocketChannel socket =
        address instanceof UnixDomainSocketAddress
            ? SocketChannel.open(StandardProtocolFamily.UNIX)
            : SocketChannel.open();
    try {
      socket.connect(address);
      prepare(socket);
      return socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** Sets what makes messages quick. */
  static void prepare(SocketChannel socket) throws IOException {
    if (socket.getLocalAddress() instanceof InetSocketAddress) {
      socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    } else {
      socket.setOption(StandardSocketOptions.SO_SNDBUF, ON_THE_WAY);
    }
  }
}

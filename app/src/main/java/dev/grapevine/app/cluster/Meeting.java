package dev.grapevine.app.cluster;

import dev.grapevine.UserException;
import dev.grapevine.cluster.Coordinator;
import dev.grapevine.cluster.Rendezvous;
import dev.grapevine.results.HostName;
import dev.grapevine.security.LinkSecurity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** A coordinator that can be found where workers look for it. */
final class Meeting implements AutoCloseable {

  private final Coordinator coordinator;
  private final Rendezvous rendezvous;
  private final String host;

  /**
   * Begins to listen.
   *
   * @param port where, if the meeting point does not say; 0 for a free port
   */
  Meeting(LinkSecurity security, Rendezvous rendezvous, int port) {
    this.rendezvous = rendezvous;
    switch (rendezvous) {
      case Rendezvous.At at -> {
        InetAddress address = new InetSocketAddress(at.host(), at.port()).getAddress();
        if (address == null) {
          throw new UserException("no machine is called %s".formatted(at.host()));
        }
        host = at.host();
        coordinator =
            new Coordinator(
                security, address.isLoopbackAddress() ? address : everywhere(), at.port());
      }
      case Rendezvous.In in -> {
        host = HostName.here();
        coordinator = new Coordinator(security, everywhere(), port);
        in.publish(host, coordinator.port());
      }
    }
  }

  private static InetAddress everywhere() {
    try {
      return InetAddress.getByAddress(new byte[4]);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  Coordinator coordinator() {
    return coordinator;
  }

  /** Where a worker of this process finds it. */
  Rendezvous forThisMachine() {
    return new Rendezvous.At(host, coordinator.port());
  }

  @Override
  public void close() {
    coordinator.close();
    if (rendezvous instanceof Rendezvous.In in) {
      in.withdraw();
    }
  }
}

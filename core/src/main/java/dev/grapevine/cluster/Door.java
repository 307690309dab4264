package dev.grapevine.cluster;

import dev.grapevine.UserException;
import dev.grapevine.security.Arrival;
import dev.grapevine.security.Descriptors;
import dev.grapevine.security.Doorkeeper;
import dev.grapevine.security.LinkSecurity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Where a process listens. Whoever comes must prove to belong to the run before anything that it
 * says is heard; strangers are turned away, however many there are, and nothing else happens.
 */
final class Door implements AutoCloseable {

  private static final int BACKLOG = 1024;
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** Takes one who has proved to belong to the run, on a thread of its own. */
  interface Host {
    void receive(Arrival arrival) throws IOException;
  }

  private final LinkSecurity security;
  private final Host host;
  private final Consumer<String> strangers;
  private final Doorkeeper doorkeeper = new Doorkeeper(Descriptors.here().strangers());
  private final ServerSocketChannel server;
  private Optional<SideDoor> side = Optional.empty();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * @param address the interface to listen on
   * @param port 0 for a free one
   * @param strangers takes a line about each who was turned away
   */
  Door(
      LinkSecurity security, InetAddress address, int port, Host host, Consumer<String> strangers) {
    this.security = security;
    this.host = host;
    this.strangers = strangers;
    try {
      server = ServerSocketChannel.open();
      server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      server.bind(new InetSocketAddress(address, port), BACKLOG);
    } catch (IOException e) {
      throw new UserException(
          "cannot listen on %s, port %d: %s"
              .formatted(address.getHostAddress(), port, e.getMessage()),
          e);
    }
    threads.execute(() -> accept(server));
  }

  /** Opens a second way in, for processes of this machine; returns where, empty if it has none. */
  String openSide() {
    side = SideDoor.open(BACKLOG);
    side.ifPresent(door -> threads.execute(() -> accept(door.server())));
    return side.map(door -> door.path().toString()).orElse("");
  }

  int port() {
    try {
      return ((InetSocketAddress) server.getLocalAddress()).getPort();
    } catch (IOException e) {
      throw new IllegalStateException("a socket that listens has a port", e);
    }
  }

  private void accept(ServerSocketChannel door) {
    while (door.isOpen()) {
      try {
        SocketChannel socket = door.accept();
        doorkeeper.arrived(socket);
        threads.execute(() -> welcome(socket));
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        // Most likely the process has no descriptors left; strangers have to give theirs back.
        doorkeeper.tell("cannot accept a connection: " + e.getMessage()).ifPresent(strangers);
        doorkeeper.makeRoom();
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void welcome(SocketChannel socket) {
    try {
      LinkSockets.prepare(socket);
      Arrival arrival = security.receive(socket);
      doorkeeper.settled(socket);
      host.receive(arrival);
    } catch (IOException e) {
      doorkeeper.settled(socket);
      doorkeeper.tell("a connection was turned away: " + e.getMessage()).ifPresent(strangers);
      close(socket);
    }
  }

  private static void close(SocketChannel socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone either way.
      return;
    }
  }

  /** Lets nobody in any more; those who are in stay. */
  @Override
  public void close() {
    side.ifPresent(SideDoor::close);
    try {
      server.close();
    } catch (IOException e) {
      // Nobody gets in either way.
      return;
    }
  }
}

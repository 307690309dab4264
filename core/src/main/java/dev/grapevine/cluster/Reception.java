package dev.grapevine.cluster;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.security.Arrival;
import dev.grapevine.security.Greeting;
import dev.grapevine.security.LinkSecurity;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Where workers come to the coordinator, and are heard out, each on a thread of its own. What they
 * say is left to the coordinator as notes; only signs of life are answered at once, since workers
 * set their clocks by the answers.
 */
final class Reception implements AutoCloseable {

  private final Consumer<Consumer<Oversight>> notes;
  private final Set<ControlChannel> heard = ConcurrentHashMap.newKeySet();
  private final Door door;

  /**
   * @param address the interface to listen on
   * @param port 0 for a free one
   * @param notes takes what is for the coordinator's thread; any thread may leave some
   */
  Reception(
      LinkSecurity security, InetAddress address, int port, Consumer<Consumer<Oversight>> notes) {
    this.notes = notes;
    this.door =
        new Door(
            security,
            address,
            port,
            this::receive,
            line -> notes.accept(oversight -> oversight.warn(line)));
  }

  int port() {
    return door.port();
  }

  private void receive(Arrival arrival) throws IOException {
    Greeting greeting = arrival.greeting();
    if (greeting.purpose() != Greeting.Purpose.CONTROL || greeting.to() != Greeting.COORDINATOR) {
      arrival.refuse("here is the coordinator, not " + greeting.acceptor());
      return;
    }
    arrival.welcome();
    ControlChannel channel = new ControlChannel(arrival.channel());
    heard.add(channel);
    try {
      if (!(channel.receive() instanceof Control.Join join) || join.rank() != greeting.from()) {
        throw new MalformedPayloadException("%s does not join".formatted(greeting.opener()));
      }
      Member member = new Member(join, channel);
      notes.accept(oversight -> oversight.admit(member));
      hear(member);
    } catch (MalformedPayloadException e) {
      channel.close();
      throw new IOException(e.getMessage(), e);
    } finally {
      heard.remove(channel);
    }
  }

  private void hear(Member member) {
    String reason = "its connection was closed";
    try {
      for (Control message = member.channel().receive();
          message != null;
          message = member.channel().receive()) {
        member.heard();
        if (message instanceof Control.Heartbeat heartbeat) {
          requireWorld(heartbeat, member);
          member.standing(heartbeat);
          member.channel().send(new Control.Echo(heartbeat.sentAt(), System.nanoTime()));
        } else {
          Control said = message;
          notes.accept(oversight -> oversight.takeFrom(member, said));
        }
      }
    } catch (IOException e) {
      reason = "its connection broke: " + e.getMessage();
    } catch (MalformedPayloadException e) {
      reason = "it does not speak as it should: " + e.getMessage();
    }
    String why = reason;
    notes.accept(oversight -> oversight.hungUp(member, why));
  }

  private static void requireWorld(Control.Heartbeat heartbeat, Member member) {
    int world = member.join().world();
    if (heartbeat.sent().length != world || heartbeat.settled().length != world) {
      throw new MalformedPayloadException(
          "counts for %d workers of %d".formatted(heartbeat.sent().length, world));
    }
  }

  /** Lets nobody in any more and leaves those who are still there. */
  @Override
  public void close() {
    door.close();
    heard.forEach(ControlChannel::close);
  }
}

package dev.grapevine.runtime;

import dev.grapevine.message.Message;
import org.jspecify.annotations.Nullable;

/** A message on its way; happens when it arrives. */
final class Flight implements Event {

  private final int receiver;
  private final Message message;
  private final int checksum;

  Flight(int receiver, Message message, int checksum) {
    this.receiver = receiver;
    this.message = message;
    this.checksum = checksum;
  }

  @Override
  public @Nullable SimulatedHost happen(Simulation simulation) {
    TraceHash trace = simulation.trace();
    trace.add(simulation.now());
    trace.add((long) message.sender() << 32 | receiver);
    trace.add((long) message.round() << 40 | (long) message.tag() << 32 | (checksum & 0xFFFFFFFFL));
    SimulatedHost host = simulation.host(receiver);
    return host.deliver(message) ? host : null;
  }
}

package dev.grapevine.runtime.simulated;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.network.FrameHeader;
import dev.grapevine.runtime.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way through its sender's uplink and its receiver's downlink. As an event, it is
 * the arrival of its first byte, then that of its last.
 */
final class SharedFlight implements Event {

  private static final long UNKNOWN = -1;

  private final int sender;
  private final int receiver;
  private final int tag;
  private final int channel;
  private final int round;
  private final int checksum;
  private final int incarnation;
  private final Payload payload;
  private final long latency;
  private final long ordinal;
  private final AccessLink downlink;
  private final Mailbox mailbox;
  private long lastByte = UNKNOWN;
  private boolean arriving;
  private boolean isThrough;

  SharedFlight(
      Message message,
      int receiver,
      int checksum,
      int incarnation,
      long latency,
      long ordinal,
      AccessLink downlink,
      Mailbox mailbox) {
    sender = message.sender();
    this.receiver = receiver;
    tag = message.tag();
    channel = message.channel();
    round = message.round();
    this.checksum = checksum;
    this.incarnation = incarnation;
    payload = message.payload();
    this.latency = latency;
    this.ordinal = ordinal;
    this.downlink = downlink;
    this.mailbox = mailbox;
  }

  int bytes() {
    return (int) FrameHeader.framed(1, payload.size());
  }

  boolean wasSentBefore(SharedFlight other) {
    return ordinal < other.ordinal;
  }

  /** The last byte has left the uplink. */
  void leaves(Simulation simulation) {
    lastByte = simulation.now() + latency;
    if (isThrough) {
      simulation.push(lastByte, this);
    }
  }

  /** The downlink has had time for all bytes. */
  void isThrough(Simulation simulation) {
    isThrough = true;
    if (lastByte != UNKNOWN) {
      simulation.push(Math.max(lastByte, simulation.now()), this);
    }
  }

  @Override
  public @Nullable SimulatedHost happen(Simulation simulation) {
    if (!arriving) {
      arriving = true;
      downlink.add(simulation, this);
      return null;
    }
    return simulation
        .wires()
        .deliver(sender, receiver, tag, channel, round, payload, checksum, incarnation);
  }

  @Override
  public int readAhead() {
    return downlink.readAhead() + mailbox.readAhead(sender, round);
  }
}

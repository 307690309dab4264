package dev.grapevine.runtime;

import dev.grapevine.message.Message;
import dev.grapevine.network.FrameHeader;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way through its sender's uplink and its receiver's downlink. As an event, it is
 * the arrival of its first byte, then that of its last.
 */
final class SharedFlight implements Event {

  private static final long UNKNOWN = -1;

  private final int receiver;
  private final Message message;
  private final int checksum;
  private final long latency;
  private long lastByte = UNKNOWN;
  private boolean arriving;
  private boolean isThrough;

  SharedFlight(int receiver, Message message, int checksum, long latency) {
    this.receiver = receiver;
    this.message = message;
    this.checksum = checksum;
    this.latency = latency;
  }

  int bytes() {
    return message.payload().size() + FrameHeader.BYTES;
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
      simulation.downlink(receiver).add(simulation, this);
      return null;
    }
    return simulation.deliver(receiver, message, checksum);
  }
}

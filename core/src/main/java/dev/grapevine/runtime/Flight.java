package dev.grapevine.runtime;

import dev.grapevine.message.Message;
import org.jspecify.annotations.Nullable;

/** A message on its way whose size does not matter; happens when it arrives. */
record Flight(int receiver, Message message, int checksum) implements Event {

  @Override
  public @Nullable SimulatedHost happen(Simulation simulation) {
    return simulation.deliver(receiver, message, checksum);
  }
}

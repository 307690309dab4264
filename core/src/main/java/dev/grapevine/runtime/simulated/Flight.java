package dev.grapevine.runtime.simulated;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.runtime.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way whose size does not matter; happens when it arrives. Holds what a message
 * says rather than the message: by then neither is in the cache, and one miss is less than two.
 */
record Flight(
    int sender,
    int receiver,
    int tag,
    int channel,
    int round,
    int checksum,
    int incarnation,
    Payload payload,
    Mailbox mailbox)
    implements Event {

  Flight(Message message, int receiver, int checksum, int incarnation, Mailbox mailbox) {
    this(
        message.sender(),
        receiver,
        message.tag(),
        message.channel(),
        message.round(),
        checksum,
        incarnation,
        message.payload(),
        mailbox);
  }

  @Override
  public @Nullable SimulatedHost happen(Simulation simulation) {
    return simulation
        .wires()
        .deliver(sender, receiver, tag, channel, round, payload, checksum, incarnation);
  }

  @Override
  public int readAhead() {
    return mailbox.readAhead(sender, round);
  }
}

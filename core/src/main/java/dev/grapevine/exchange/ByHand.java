package dev.grapevine.exchange;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.topology.Neighbourhood;
import java.util.function.Consumer;

/**
 * Carries nothing: for those who move payloads themselves, such as tests and benchmarks. Work is
 * done by the caller, and a malformed payload is thrown at him with its sender's name.
 */
public final class ByHand implements Carrier {

  private final Scratch scratch = new Scratch();

  @Override
  public void send(Neighbourhood to, int channel, int round, Outgoing outgoing) {
    throw new UnsupportedOperationException("payloads are moved by hand");
  }

  @Override
  public Received receive(Neighbourhood from, int channel, int round) {
    throw new UnsupportedOperationException("payloads are moved by hand");
  }

  @Override
  public void share(Consumer<Scratch> work) {
    try (scratch) {
      work.accept(scratch);
    }
  }

  @Override
  public void reject(int sender, MalformedPayloadException complaint) {
    throw complaint.from(sender);
  }
}

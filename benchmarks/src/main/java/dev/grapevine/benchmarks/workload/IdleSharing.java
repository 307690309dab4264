package dev.grapevine.benchmarks.workload;

import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.sharing.Received;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.topology.Neighbourhood;

/** Says nothing and does nothing. */
public record IdleSharing() implements Sharing {

  @Override
  public Outgoing message(int round, Neighbourhood neighbours) {
    return Payload.empty();
  }

  @Override
  public void merge(Received received) {}
}

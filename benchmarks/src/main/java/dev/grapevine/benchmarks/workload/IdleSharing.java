package dev.grapevine.benchmarks.workload;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Neighbourhood;

/** Says nothing and does nothing. */
public record IdleSharing() implements Encoding {

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    return Payload.empty();
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    return Update.NOTHING;
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {}
}

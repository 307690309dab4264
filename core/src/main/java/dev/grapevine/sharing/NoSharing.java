package dev.grapevine.sharing;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import dev.grapevine.topology.Neighbourhood;

/** Every node for itself: messages are empty and change nothing. Keeps no vector. */
@Kind(name = "none", summary = "every node trains alone; messages are empty")
public final class NoSharing implements Encoding {

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    return Payload.empty();
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    if (payload.size() > 0) {
      throw new MalformedPayloadException("message should be empty: bytes=" + payload.size());
    }
    return Update.NOTHING;
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {}

  @Override
  public boolean carriesVectors() {
    return false;
  }
}

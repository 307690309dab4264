package dev.grapevine.sharing;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.settings.Kind;
import dev.grapevine.topology.Neighbourhood;

/** Every node for itself: messages are empty and change nothing. Keeps no vector. */
@Kind(name = "none", summary = "every node trains alone; messages are empty")
public final class NoSharing implements Sharing {

  @Override
  public Outgoing message(int round, Neighbourhood neighbours) {
    return Payload.empty();
  }

  @Override
  public void merge(Received received) {
    for (Contribution contribution : received.contributions()) {
      if (contribution.payload().size() > 0) {
        throw new MalformedPayloadException(
                "message should be empty: bytes=" + contribution.payload().size())
            .from(contribution.sender());
      }
    }
  }
}

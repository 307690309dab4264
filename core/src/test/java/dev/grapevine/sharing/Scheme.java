package dev.grapevine.sharing;

import dev.grapevine.aggregation.WeightedMean;
import dev.grapevine.exchange.ByHand;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.message.Outgoing;
import dev.grapevine.topology.Neighbourhood;
import java.util.List;

/** A node's model exchange whose payloads are carried by hand. */
public final class Scheme {

  private final Exchange exchange;

  public Scheme(Encoding encoding, float[] vector) {
    exchange = new Exchange(0, vector, encoding, new WeightedMean(), List.of(), new ByHand());
  }

  public Outgoing message(int round, Neighbourhood neighbours) {
    try {
      return exchange.encode(round, neighbours);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public void merge(Received received) {
    try {
      exchange.combine(received);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

package dev.grapevine.protocol;

import dev.grapevine.aggregation.Update;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.message.Message;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import dev.grapevine.topology.Neighbourhood;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a server's model reaches its clients: as the experiment's sharing scheme has it. A scheme
 * that leaves coordinates out reckons with those who got the message before; all other clients are
 * sent the whole model.
 */
final class Downloads {

  private static final int MODEL = 1;
  private static final int WHOLE_MODEL = 5;

  /** The tags of these messages; a protocol's own are others. */
  static final int[] TAGS = {MODEL, WHOLE_MODEL};

  private final Node self;
  private final BitSet upToDate = new BitSet();

  /** How often clients had come back when they answered. */
  private final Map<Integer, Integer> returns = new HashMap<>();

  Downloads(Node self) {
    this.self = self;
    self.state()
        .values("up-to-date", upToDate::toLongArray, saved -> upToDate.or(BitSet.valueOf(saved)));
  }

  /** Sends the model to some clients. */
  void send(int round, int[] clients) throws InterruptedException {
    Exchange exchange = self.model();
    Outgoing model = exchange.encode(round, Neighbourhood.sendingTo(self.id(), clients));
    Payload whole = Payload.empty();
    for (int client : clients) {
      boolean isSame = self.returns(client) == returns.getOrDefault(client, 0);
      if (exchange.isWhole() || (upToDate.get(client) && isSame)) {
        self.send(client, MODEL, round, model.to(client));
      } else {
        whole = whole.size() > 0 ? whole : Update.payload(exchange.vector());
        self.send(client, WHOLE_MODEL, round, whole);
      }
    }
    upToDate.clear();
  }

  /** Learns who has certainly got it: those who answered. */
  void confirmed(List<Message> answers) {
    for (Message answer : answers) {
      upToDate.set(answer.sender());
      returns.put(answer.sender(), self.returns(answer.sender()));
    }
  }

  /** A client's side: makes the model that came its own. */
  static void take(Node self, Message message) throws InterruptedException {
    Exchange exchange = self.model();
    if (message.tag() == WHOLE_MODEL) {
      exchange.replace(message.sender(), message.payload());
    } else {
      exchange.combine(Received.only(message.round(), message, 1));
    }
  }
}

package dev.grapevine.protocol;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import dev.grapevine.topology.Neighbourhood;
import java.time.Duration;

/**
 * The end of a protocol whose nodes answer each other at any time: a node that is through stays
 * until its neighbours are through too, so that nobody waits for an answer that never comes.
 */
final class Farewell {

  private Farewell() {}

  /** Tells the neighbours and waits for all of them, or until one stays silent too long. */
  static void wait(Node self, int doneTag) throws InterruptedException {
    Neighbourhood neighbours = self.neighbours(self.rounds() - 1);
    for (int peer : neighbours.sendsTo()) {
      self.send(peer, doneTag, self.rounds(), Payload.empty());
    }
    int missing = neighbours.hearsFrom().length;
    Duration end = self.time().plus(self.patience());
    while (missing > 0) {
      Message message = self.receive(end.minus(self.time())).orElse(null);
      if (message == null) {
        return;
      }
      if (message.tag() == doneTag) {
        missing--;
      }
    }
  }
}

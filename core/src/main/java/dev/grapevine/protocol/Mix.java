package dev.grapevine.protocol;

import dev.grapevine.message.Message;
import dev.grapevine.node.Node;
import dev.grapevine.sharing.Contribution;
import dev.grapevine.sharing.Received;
import dev.grapevine.topology.Neighbourhood;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Mixing weights for models that came outside a topology's plan. */
final class Mix {

  private Mix() {}

  /** A neighbourhood for a node that only knows whom it sends to. */
  static Neighbourhood sendingTo(Node self, int... peers) {
    return new Neighbourhood(self.id(), peers, new int[0], new double[0], 1);
  }

  /**
   * All models, the node's own included, count the same; by rising sender, then round. What came
   * twice counts once.
   */
  static Received uniform(int round, List<Message> models) {
    List<Message> sorted = new ArrayList<>(models);
    sorted.sort(Comparator.comparingInt(Message::sender).thenComparingInt(Message::round));
    for (int i = sorted.size() - 1; i > 0; i--) {
      Message before = sorted.get(i - 1);
      if (before.sender() == sorted.get(i).sender() && before.round() == sorted.get(i).round()) {
        sorted.remove(i);
      }
    }
    double weight = 1.0 / (sorted.size() + 1);
    List<Contribution> contributions = new ArrayList<>(sorted.size());
    for (Message message : sorted) {
      contributions.add(new Contribution(message.sender(), weight, message.payload()));
    }
    return new Received(round, 1 - weight * sorted.size(), contributions);
  }
}

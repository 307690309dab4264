package dev.grapevine.protocol;

import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.topology.Neighbourhood;

/**
 * Decentralized parallel stochastic gradient descent: in every round a node trains, sends its model
 * to its neighbours, and mixes what it hears into its own.
 */
@Kind(
    name = "d-psgd",
    summary = "train, exchange models with all neighbours, average; round after round",
    paper =
        "Lian et al., Can Decentralized Algorithms Outperform Centralized Algorithms?, NIPS 2017")
public final class DPsgd implements Protocol {

  public DPsgd() {}

  @Override
  public void run(Node self) throws InterruptedException {
    for (int round = 0; round < self.rounds(); round++) {
      self.train();
      Neighbourhood neighbours = self.neighbours(round);
      self.send(neighbours, round, self.sharing().message(round, neighbours));
      self.sharing().merge(self.receiveFrom(neighbours, round));
      self.evaluate(round);
    }
  }
}

package dev.grapevine.protocol;

import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;

/**
 * Decentralized parallel stochastic gradient descent: in every round a node trains, sends its model
 * to its neighbours, and mixes what it hears into its own.
 */
@Kind(
    name = "d-psgd",
    summary = "train, exchange models with all neighbours, average; round after round",
    paper =
        "Lian et al., Can Decentralized Algorithms Outperform Centralized Algorithms?, NIPS 2017")
public final class DPsgd implements InStep {

  public DPsgd() {}

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train();
      self.mix(round);
      self.evaluate(round);
    }
  }
}

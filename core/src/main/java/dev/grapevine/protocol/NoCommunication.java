package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/** Every node for itself: the baseline that communication has to beat. */
@Kind(name = "no-communication", summary = "every node trains alone; the baseline")
public final class NoCommunication implements Protocol {

  public NoCommunication() {}

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Optional.empty();
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train();
      self.evaluate(round);
    }
  }
}

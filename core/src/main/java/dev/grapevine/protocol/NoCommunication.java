package dev.grapevine.protocol;

import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/** Every node for itself: the baseline that communication has to beat. */
@Kind(name = "no-communication", summary = "every node trains alone; the baseline")
public final class NoCommunication implements Protocol {

  public NoCommunication() {}

  @Override
  public Optional<String> objection(String sharing, Continuity continuity, Topology topology) {
    return Optional.empty();
  }

  @Override
  public void run(Node self) throws InterruptedException {
    for (int round = 0; round < self.rounds(); round++) {
      self.train();
      self.evaluate(round);
    }
  }
}

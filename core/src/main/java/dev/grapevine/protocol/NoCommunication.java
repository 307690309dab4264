package dev.grapevine.protocol;

import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;

/** Every node for itself: the baseline that communication has to beat. */
@Kind(name = "no-communication", summary = "every node trains alone; the baseline")
public final class NoCommunication implements Protocol {

  public NoCommunication() {}

  @Override
  public void run(Node self) throws InterruptedException {
    for (int round = 0; round < self.rounds(); round++) {
      self.train();
      self.evaluate(round);
    }
  }
}

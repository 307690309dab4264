package dev.grapevine.protocol;

import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import java.util.BitSet;

/**
 * A meeting point that a learner leaves only when all have reached it: a dissemination barrier
 * (Hensgen, Finkel, Manber 1988). In step k a node tells the node 2^k places further and waits for
 * the one 2^k places before, so n nodes need n·⌈log₂ n⌉ messages. Handlers run while a node waits;
 * protocols whose nodes answer each other at any time end with a barrier, so that nobody asks one
 * that has left.
 */
public final class Barrier {

  private final Node self;
  private final int tag;
  private final BitSet heard = new BitSet();

  /**
   * @param tag the messages' tag, for this barrier alone
   */
  public Barrier(Node self, int tag) {
    this.self = self;
    this.tag = tag;
    self.onMessage(
        tag,
        message -> {
          if (message.round() < Integer.SIZE) {
            heard.set(message.round());
          }
        });
  }

  /**
   * Waits for all learners that are not gone, or until one is silent for longer than the experiment
   * allows.
   */
  public void pass() throws InterruptedException {
    int nodes = self.learners();
    for (int step = 0; 1 << step < nodes; step++) {
      int next = (self.id() + (1 << step)) % nodes;
      self.send(next, tag, step, Payload.empty());
      int awaited = step;
      int before = Math.floorMod(self.id() - (1 << step), nodes);
      if (!self.await(() -> heard.get(awaited) || self.isGone(before), self.patience())) {
        return;
      }
    }
  }
}

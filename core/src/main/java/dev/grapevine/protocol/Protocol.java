package dev.grapevine.protocol;

import dev.grapevine.node.Node;

/** What one node does from the first round to the last: straight-line blocking code. */
public interface Protocol {

  /** Runs the node to its end; called once, on the node's own virtual thread. */
  void run(Node self) throws InterruptedException;
}

package dev.grapevine.runtime.live;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Which nodes have ended, here or in other processes. Safe for concurrent use. */
final class EndedNodes {

  private final BitSet ended = new BitSet();

  /** 1 for those who have come to the end of their protocol. */
  private final AtomicIntegerArray finished;

  EndedNodes(int nodes) {
    finished = new AtomicIntegerArray(nodes);
  }

  /**
   * A node has ended.
   *
   * @param isFinished whether it has come to the end of its protocol
   */
  synchronized void add(int node, boolean isFinished) {
    if (isFinished) {
      finished.set(node, 1);
    }
    ended.set(node);
  }

  synchronized boolean has(int node) {
    return ended.get(node);
  }

  synchronized boolean hasAny(int[] nodes) {
    for (int node : nodes) {
      if (ended.get(node)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a node has come to the end of its protocol; asked for every other message. */
  boolean hasFinished(int node) {
    return finished.get(node) != 0;
  }
}

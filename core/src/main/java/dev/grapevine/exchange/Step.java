package dev.grapevine.exchange;

/**
 * Changes what a node says before it is encoded: clipping, noise, an attacker's lie. The node's own
 * vector stays as it is.
 */
@FunctionalInterface
public interface Step {

  /** Changes the update in place; called once for each message, on a compute thread. */
  void apply(int round, float[] update);
}

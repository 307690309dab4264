package dev.grapevine.aggregation;

import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Family;

/**
 * Combines a node's own vector with those it heard. Called on a compute thread by an exchange's
 * encoding, once for each exchange; one instance belongs to one node.
 */
public interface Aggregator {

  Family<Void, Aggregator> FAMILY =
      new Family<>("aggregation", Aggregator.class, Void.class, "how what was heard is combined");

  /**
   * Writes the combination.
   *
   * @param own the node's own vector; it is the stand-in for what a sender left out, even where it
   *     does not count itself
   * @param size how many coordinates there are
   * @param into where the result goes; may be {@code own}
   * @param scratch for arrays of that size
   */
  void combine(float[] own, int size, Heard heard, float[] into, Scratch scratch);

  /**
   * Combines in place if the result is finite, which is so only if all that went into it is: a sum
   * is looked at with less effort than its terms.
   *
   * @return whether that was done; otherwise nothing has changed, as for a rule that cannot tell
   */
  default boolean combineIfFinite(float[] own, int size, Heard heard, Scratch scratch) {
    return false;
  }

  /** Writes by how much the combination differs from the node's own vector. */
  default void change(float[] own, int size, Heard heard, float[] change, Scratch scratch) {
    combine(own, size, heard, change, scratch);
    for (int i = 0; i < size; i++) {
      change[i] -= own[i];
    }
  }

  /** Whether the combination is the weighted sum, so that sums of updates are all it needs. */
  default boolean isLinear() {
    return false;
  }
}

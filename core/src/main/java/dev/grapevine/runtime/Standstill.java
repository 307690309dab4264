package dev.grapevine.runtime;

import java.util.BitSet;
import java.util.Optional;

/**
 * Notices that nobody is up for long enough to finish a round, however often all come back: on a
 * virtual clock such a run would never end. Needs the lock of {@link Lives}.
 */
final class Standstill {

  /** So many that a node which gets through a round once in a hundred times does so before. */
  private static final int RETURNS = 1_000;

  private final BitSet back = new BitSet();

  /** How often all have come back since a round was finished. */
  private int returns;

  void roundFinished() {
    back.clear();
    returns = 0;
  }

  /**
   * A node comes back.
   *
   * @param all who may finish a round
   */
  void isBack(int node, BitSet all) {
    back.set(node);
    all.andNot(back);
    if (all.isEmpty()) {
      back.clear();
      returns++;
    }
  }

  /** Why nothing comes of it any more; empty while something may. */
  Optional<String> reason() {
    return returns < RETURNS
        ? Optional.empty()
        : Optional.of(
            ("no node stays up for long enough to finish a round: all have come back %d times since"
                    + " one was finished; let [faults.churn] leave them up for longer, or let rounds"
                    + " be shorter")
                .formatted(returns));
  }
}

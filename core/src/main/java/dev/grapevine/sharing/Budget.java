package dev.grapevine.sharing;

import dev.grapevine.settings.Family;
import java.util.random.RandomGenerator;

/**
 * How large a share of the coordinates a node may send, round by round. Built from the scheme's
 * {@code alpha}. One instance may serve many nodes.
 */
public interface Budget {

  Family<Double, Budget> FAMILY =
      new Family<>("budget", Budget.class, Double.class, "how many coordinates a round may send");

  /** The share for {@code round}, in (0, 1]; {@code random} is the node's own stream. */
  double share(int round, RandomGenerator random);

  /** Whether all nodes have the same share in a round. */
  default boolean isCommon() {
    return true;
  }

  /** How many of {@code size} coordinates a share stands for: at least one. */
  static int count(double share, int size) {
    return (int) Math.clamp(Math.round(share * size), 1, size);
  }
}

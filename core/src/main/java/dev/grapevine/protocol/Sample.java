package dev.grapevine.protocol;

import dev.grapevine.node.Node;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Random subsets of nodes. */
public final class Sample {

  private Sample() {}

  /** {@code count} different numbers below {@code bound}, rising (Floyd's algorithm). */
  public static int[] distinct(RandomGenerator random, int bound, int count) {
    int[] chosen = new int[count];
    int size = 0;
    for (int top = bound - count; top < bound; top++) {
      int candidate = random.nextInt(top + 1);
      chosen[size] = contains(chosen, size, candidate) ? top : candidate;
      size++;
    }
    Arrays.sort(chosen);
    return chosen;
  }

  /** {@code count} different nodes out of {@code nodes} without {@code self}, rising. */
  public static int[] peers(RandomGenerator random, int nodes, int self, int count) {
    int[] chosen = distinct(random, nodes - 1, count);
    for (int i = 0; i < chosen.length; i++) {
      if (chosen[i] >= self) {
        chosen[i]++;
      }
    }
    return chosen;
  }

  /** Those of some peers that are not gone, so that what is sent does not go to the dead. */
  public static int[] present(Node self, int[] peers) {
    return Arrays.stream(peers).filter(peer -> !self.isGone(peer)).toArray();
  }

  private static boolean contains(int[] values, int size, int value) {
    for (int i = 0; i < size; i++) {
      if (values[i] == value) {
        return true;
      }
    }
    return false;
  }
}

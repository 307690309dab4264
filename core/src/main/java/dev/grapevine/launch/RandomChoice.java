package dev.grapevine.launch;

import java.util.random.RandomGenerator;

/** Samples drawn without replacement. */
final class RandomChoice {

  private RandomChoice() {}

  /** {@code count} different numbers below {@code bound}, rising (Knuth's selection sampling). */
  static int[] distinct(RandomGenerator random, int bound, int count) {
    int[] chosen = new int[count];
    int taken = 0;
    for (int candidate = 0; taken < count; candidate++) {
      if (random.nextInt(bound - candidate) < count - taken) {
        chosen[taken++] = candidate;
      }
    }
    return chosen;
  }
}

package dev.grapevine.random;

import java.util.random.RandomGenerator;

/**
 * The SplitMix64 generator, which unlike the JDK's can be put back to a seed without allocating. A
 * stream is a function of its seed alone, so a place in it need not be saved.
 *
 * <p>G. Steele, D. Lea, C. Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
 */
public final class SplitMix implements RandomGenerator {

  /** What the state grows by from number to number: 2⁶⁴ divided by the golden ratio, made odd. */
  public static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private long state;

  public SplitMix(long seed) {
    state = seed;
  }

  /** Starts the stream of another seed. */
  public void reseed(long seed) {
    state = seed;
  }

  @Override
  public long nextLong() {
    state += GOLDEN_GAMMA;
    return finish(state);
  }

  /**
   * The generator's output function, a hash that takes every bit of the state to every bit of the
   * result: David Stafford's 13th variant of MurmurHash3's finalizer.
   */
  public static long finish(long z) {
    long mixed = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /** A seed for one of many purposes under one seed. */
  public static long mix(long seed, long purpose) {
    return finish(finish(seed + GOLDEN_GAMMA) ^ (purpose * GOLDEN_GAMMA + 0x632be59bd9b4e019L));
  }

  /** Puts the values into random order (Fisher-Yates). */
  public static void shuffle(int[] values, RandomGenerator random) {
    for (int i = values.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = values[i];
      values[i] = values[j];
      values[j] = swapped;
    }
  }

  /** The numbers below {@code count} in random order. */
  public static int[] permutation(int count, RandomGenerator random) {
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      values[i] = i;
    }
    shuffle(values, random);
    return values;
  }
}

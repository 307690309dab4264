package dev.grapevine.random;

/**
 * Random streams split from one seed by (node, purpose), so that a new consumer of randomness never
 * shifts another's numbers.
 */
public final class RandomStreams {

  private RandomStreams() {}

  /** The stream of one purpose on one node. */
  public static L64X128Mix of(long seed, int node, String purpose) {
    return new L64X128Mix(mix(mix(mix(seed) + node) + purpose.hashCode()));
  }

  /** A number in [0, 1) that depends on nothing but its arguments. */
  public static double uniform(long seed, long first, long second) {
    return (mix(mix(mix(seed) + first) + second) >>> 11) * 0x1p-53;
  }

  /** The first number of a {@link SplitMix} stream. */
  public static long mix(long seed) {
    return SplitMix.finish(seed + SplitMix.GOLDEN_GAMMA);
  }
}

package dev.grapevine.node;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Random streams split from one seed by (node, purpose), so that a new consumer of randomness never
 * shifts another's numbers.
 */
public final class RandomStreams {

  private static final RandomGeneratorFactory<RandomGenerator> FACTORY =
      RandomGeneratorFactory.of("L64X128MixRandom");

  private RandomStreams() {}

  /** The stream of one purpose on one node. */
  public static RandomGenerator of(long seed, int node, String purpose) {
    return FACTORY.create(mix(mix(mix(seed) + node) + purpose.hashCode()));
  }

  /** A number in [0, 1) that depends on nothing but its arguments. */
  public static double uniform(long seed, long first, long second) {
    return (mix(mix(mix(seed) + first) + second) >>> 11) * 0x1p-53;
  }

  /** David Stafford's 13th variant of the 64-bit finalizer of MurmurHash3. */
  public static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}

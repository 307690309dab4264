package dev.grapevine.random;

import java.util.random.RandomGenerator;

/**
 * The generator that the JDK calls {@code L64X128MixRandom}, number for number, with a state that
 * can be read and put back: the JDK hides its own, so a run that used it could not be resumed.
 *
 * <p>A linear congruential generator of 64 bits (s ← M·s + a) and a xor-shift generator of 128 bits
 * (xoroshiro128 with 24, 16, 37) side by side; a hash of their sum comes out. Period 2⁶⁴·(2¹²⁸−1).
 *
 * <p>G. Steele, S. Vigna: LXM: Better Splittable Pseudorandom Number Generators (and Almost as
 * Fast), OOPSLA 2021.
 */
public final class L64X128Mix implements RandomGenerator {

  /** How many numbers the state has. */
  public static final int STATE_SIZE = 4;

  private static final long M = 0xd1342543de82ef95L;

  /** The first bits of 1 + √2, so that seeds 0 and 1 are as good as any. */
  private static final long SILVER_RATIO = 0x6a09e667f3bcc909L;

  private long a;
  private long s;
  private long x0;
  private long x1;

  /** The stream of a seed; equal to that of {@code L64X128MixRandom} with this seed. */
  public L64X128Mix(long seed) {
    long spread = seed ^ SILVER_RATIO;
    a = murmur(spread) | 1;
    s = 1;
    x0 = SplitMix.finish(spread);
    x1 = SplitMix.finish(spread + SplitMix.GOLDEN_GAMMA);
  }

  @Override
  public long nextLong() {
    long result = lea(s + x0);
    s = M * s + a;
    long mixed = x0 ^ x1;
    x0 = Long.rotateLeft(x0, 24) ^ mixed ^ mixed << 16;
    x1 = Long.rotateLeft(mixed, 37);
    return result;
  }

  /** The state after the numbers drawn so far: a, s, x0 and x1. */
  public long[] state() {
    return new long[] {a, s, x0, x1};
  }

  /** Goes on as the generator did whose {@link #state} this was. */
  public void restore(long[] state) {
    if (state.length != STATE_SIZE) {
      throw new IllegalArgumentException(
          "state must have %d numbers: length=%d".formatted(STATE_SIZE, state.length));
    }
    if ((state[0] & 1) == 0 || (state[2] | state[3]) == 0) {
      throw new IllegalArgumentException(
          "no generator has this state, its first number must be odd and one of its last two other"
              + " than 0: a=%d, x0=%d, x1=%d".formatted(state[0], state[2], state[3]));
    }
    a = state[0];
    s = state[1];
    x0 = state[2];
    x1 = state[3];
  }

  /** Doug Lea's 64-bit finalizer. */
  private static long lea(long value) {
    long z = (value ^ value >>> 32) * 0xdaba0b6eb09322e3L;
    z = (z ^ z >>> 32) * 0xdaba0b6eb09322e3L;
    return z ^ z >>> 32;
  }

  /** MurmurHash3's 64-bit finalizer. */
  private static long murmur(long value) {
    long z = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
    z = (z ^ z >>> 33) * 0xc4ceb9fe1a85ec53L;
    return z ^ z >>> 33;
  }
}

package dev.grapevine.sharing;

import dev.grapevine.random.SplitMix;
import dev.grapevine.scratch.Scratch;
import java.util.Arrays;

/**
 * The same k of n coordinates, all choices equally likely, for everyone who knows the seed: what
 * lets a sparse message do without an index list. Part of the wire format, so it is spelled out
 * here and does not lean on a library's random source: SplitMix64 (Steele et al., 2014) drives
 * Floyd's sampling (Bentley and Floyd, 1987). Costs O(min(k, n-k)) draws and one pass over n bits.
 */
public final class RandomMask {

  private RandomMask() {}

  /** Lists the coordinates in rising order in {@code indices}, which holds at least {@code k}. */
  public static void list(long seed, int n, int k, int[] indices, Scratch scratch) {
    if (k < 0 || k > n) {
      throw new IllegalArgumentException("mask must fit its vector: k=%d, n=%d".formatted(k, n));
    }
    long[] bits = clear(n, scratch);
    boolean inverted = k > n / 2;
    draw(seed, n, inverted ? n - k : k, bits);
    listBits(bits, n, inverted, indices);
  }

  /** Words of zero bits for {@code n} coordinates. */
  public static long[] clear(int n, Scratch scratch) {
    int words = (n + 63) >>> 6;
    long[] bits = scratch.longs("mask.bits", words);
    Arrays.fill(bits, 0, words, 0L);
    return bits;
  }

  /** Lists the coordinates whose bits are set (or clear, when inverted) and counts them. */
  public static int listBits(long[] bits, int n, boolean inverted, int[] indices) {
    int count = 0;
    int words = (n + 63) >>> 6;
    for (int w = 0; w < words; w++) {
      long word = inverted ? ~bits[w] : bits[w];
      if (w == words - 1 && (n & 63) != 0) {
        word &= (1L << n) - 1;
      }
      while (word != 0) {
        indices[count++] = (w << 6) + Long.numberOfTrailingZeros(word);
        word &= word - 1;
      }
    }
    return count;
  }

  private static void draw(long seed, int n, int k, long[] bits) {
    long state = seed;
    for (int j = n - k; j < n; j++) {
      state += SplitMix.GOLDEN_GAMMA;
      int t = (int) Math.unsignedMultiplyHigh(SplitMix.finish(state), j + 1L);
      boolean taken = (bits[t >>> 6] >>> t & 1) != 0;
      int chosen = taken ? j : t;
      bits[chosen >>> 6] |= 1L << chosen;
    }
  }
}

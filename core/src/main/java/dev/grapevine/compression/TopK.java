package dev.grapevine.compression;

import dev.grapevine.scratch.Scratch;
import java.util.Arrays;

/**
 * Finds the k largest of n scores by selection, without sorting: a histogram over the leading bits
 * finds the bucket of the k-th score, histograms over that bucket's scores find the score itself,
 * and a last pass lists all above it and as many equals as are still needed.
 *
 * <p>Cost: O(n), three passes; nothing is allocated once {@link Scratch} is warm.
 */
public final class TopK {

  /** Sign, exponent and three bits of the significand. */
  private static final int BITS = 12;

  private static final int BUCKETS = 1 << BITS;
  private static final int SHIFT = Integer.SIZE - BITS;

  private TopK() {}

  /**
   * Puts the positions of the {@code k} largest scores, rising, into the front of {@code indices}.
   * Of equal scores the one at the lower position wins, −0 counts as below +0, and a NaN counts as
   * larger than any number.
   *
   * @return how many were listed: {@code k}, or all if there are fewer
   */
  public static int select(float[] scores, int k, int[] indices, Scratch scratch) {
    return select(scores, scores.length, k, indices, scratch);
  }

  /** As {@link #select(float[], int, int[], Scratch)} among the first {@code n} scores. */
  public static int select(float[] scores, int n, int k, int[] indices, Scratch scratch) {
    int wanted = Math.min(k, n);
    if (k < 0 || wanted > indices.length || n > scores.length) {
      throw new IllegalArgumentException(
          "no room to list that many: k=%d, room=%d, scores=%d".formatted(k, indices.length, n));
    }
    if (wanted == n) {
      Arrays.setAll(indices, i -> i < n ? i : indices[i]);
      return n;
    }
    if (wanted > 0) {
      list(scores, n, wanted, indices, scratch);
    }
    return wanted;
  }

  private static void list(float[] scores, int n, int wanted, int[] indices, Scratch scratch) {
    int[] counts = scratch.ints("top-k.counts", 2 * BUCKETS);
    Arrays.fill(counts, 0, 2 * BUCKETS, 0);
    countBuckets(scores, n, counts);
    int bucket = BUCKETS;
    int above = 0;
    while (above + counts[--bucket] < wanted) {
      above += counts[bucket];
    }
    int[] candidates = scratch.ints("top-k.candidates", counts[bucket] + 1);
    int found = gather(scores, n, bucket, candidates);
    int threshold = kthLargest(candidates, found, wanted - above, counts);
    int larger = above;
    for (int i = 0; i < found; i++) {
      larger += candidates[i] > threshold ? 1 : 0;
    }
    emit(scores, threshold, wanted - larger, wanted, indices);
  }

  /** Signed integers that stand in the same order as the floats. */
  private static int key(float score) {
    int bits = Float.floatToRawIntBits(score);
    return bits ^ (bits >> 31 & 0x7fff_ffff);
  }

  private static int bucketOf(int key) {
    return (key >> SHIFT) + BUCKETS / 2;
  }

  /** Two histograms side by side, since neighbours often fall into the same bucket. */
  private static void countBuckets(float[] scores, int n, int[] counts) {
    int i = 0;
    for (; i + 1 < n; i += 2) {
      counts[bucketOf(key(scores[i]))]++;
      counts[BUCKETS + bucketOf(key(scores[i + 1]))]++;
    }
    if (i < n) {
      counts[bucketOf(key(scores[i]))]++;
    }
    for (int b = 0; b < BUCKETS; b++) {
      counts[b] += counts[BUCKETS + b];
    }
  }

  private static int gather(float[] scores, int n, int bucket, int[] candidates) {
    int found = 0;
    for (int i = 0; i < n; i++) {
      int key = key(scores[i]);
      candidates[found] = key;
      // One when equal: no other difference turns negative by subtracting one.
      found += ((bucketOf(key) ^ bucket) - 1) >>> 31;
    }
    return found;
  }

  /** Of keys that agree in their leading bits, by the two groups of ten bits that follow. */
  private static int kthLargest(int[] keys, int count, int k, int[] counts) {
    int prefix = keys[0] >> SHIFT;
    int rest = k;
    for (int shift = SHIFT - 10; shift >= 0; shift -= 10) {
      Arrays.fill(counts, 0, 1024, 0);
      for (int i = 0; i < count; i++) {
        if (keys[i] >> (shift + 10) == prefix) {
          counts[keys[i] >> shift & 1023]++;
        }
      }
      int digit = 1024;
      while (counts[--digit] < rest) {
        rest -= counts[digit];
      }
      prefix = prefix << 10 | digit;
    }
    return prefix;
  }

  private static void emit(float[] scores, int threshold, int ties, int wanted, int[] indices) {
    int found = 0;
    int tiesLeft = ties;
    for (int i = 0; found < wanted; i++) {
      int key = key(scores[i]);
      indices[found] = i;
      if (key == threshold) {
        found += tiesLeft > 0 ? 1 : 0;
        tiesLeft--;
      } else {
        // One when above, without a branch to guess wrong.
        found += (int) (((long) threshold - key) >>> 63);
      }
    }
  }
}

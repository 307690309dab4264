package dev.grapevine.compression;

import java.util.Arrays;

/**
 * Finds the k largest of n scores by selection, without sorting: a histogram over the range of the
 * scores finds the bucket of the k-th score, histograms over that bucket's scores find the score
 * itself, and a last pass lists all above it and as many equals as are still needed.
 *
 * <p>Cost: O(n), four passes; nothing is allocated once {@link Scratch} is warm.
 */
public final class TopK {

  private static final int BITS = 12;
  private static final int BUCKETS = 1 << BITS;

  private TopK() {}

  /**
   * Puts the positions of the {@code k} largest scores, rising, into the front of {@code indices}.
   * Of equal scores the one at the lower position wins, −0 counts as below +0, and a NaN counts as
   * larger than any number.
   *
   * @return how many were listed: {@code k}, or all if there are fewer
   */
  public static int select(float[] scores, int k, int[] indices) {
    return select(scores, scores.length, k, indices);
  }

  /** As {@link #select(float[], int, int[])} among the first {@code n} scores. */
  public static int select(float[] scores, int n, int k, int[] indices) {
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
      list(scores, n, wanted, indices);
    }
    return wanted;
  }

  private static void list(float[] scores, int n, int wanted, int[] indices) {
    int least = Integer.MAX_VALUE;
    int most = Integer.MIN_VALUE;
    for (int i = 0; i < n; i++) {
      int key = key(scores[i]);
      least = Math.min(least, key);
      most = Math.max(most, key);
    }
    // Keys are counted from the least, without sign.
    int shift = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(most - least) - BITS);
    int[] counts = Scratch.ints(2 * BUCKETS);
    Arrays.fill(counts, 0, 2 * BUCKETS, 0);
    countBuckets(scores, n, least, shift, counts);
    int bucket = BUCKETS;
    int above = 0;
    while (above + counts[--bucket] < wanted) {
      above += counts[bucket];
    }
    int[] candidates = Scratch.ints(counts[bucket] + 1);
    int found = gather(scores, n, least, shift, bucket, candidates);
    int threshold = least + kthLargest(candidates, found, wanted - above, shift, counts);
    int larger = above;
    for (int i = 0; i < found; i++) {
      larger += least + candidates[i] > threshold ? 1 : 0;
    }
    Scratch.giveBack(candidates);
    Scratch.giveBack(counts);
    emit(scores, threshold, wanted - larger, wanted, indices);
  }

  /** Signed integers that stand in the same order as the floats. */
  private static int key(float score) {
    int bits = Float.floatToRawIntBits(score);
    return bits ^ (bits >> 31 & 0x7fff_ffff);
  }

  /** Two histograms side by side, since neighbours often fall into the same bucket. */
  private static void countBuckets(float[] scores, int n, int least, int shift, int[] counts) {
    int i = 0;
    for (; i + 1 < n; i += 2) {
      counts[key(scores[i]) - least >>> shift]++;
      counts[BUCKETS + (key(scores[i + 1]) - least >>> shift)]++;
    }
    if (i < n) {
      counts[key(scores[i]) - least >>> shift]++;
    }
    for (int b = 0; b < BUCKETS; b++) {
      counts[b] += counts[BUCKETS + b];
    }
  }

  private static int gather(
      float[] scores, int n, int least, int shift, int bucket, int[] candidates) {
    int found = 0;
    for (int i = 0; i < n; i++) {
      int key = key(scores[i]) - least;
      candidates[found] = key;
      found += key >>> shift == bucket ? 1 : 0;
    }
    return found;
  }

  /** Of keys that agree above their lowest {@code open} bits, by ten of those bits at a time. */
  private static int kthLargest(int[] keys, int count, int k, int open, int[] counts) {
    int prefix = keys[0] >>> open;
    int rest = k;
    int shift = open;
    while (shift > 0) {
      int width = Math.min(shift, 10);
      int known = shift;
      shift -= width;
      int digits = 1 << width;
      Arrays.fill(counts, 0, digits, 0);
      for (int i = 0; i < count; i++) {
        if (keys[i] >>> known == prefix) {
          counts[keys[i] >>> shift & digits - 1]++;
        }
      }
      int digit = digits;
      while (counts[--digit] < rest) {
        rest -= counts[digit];
      }
      prefix = prefix << width | digit;
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
        found += key > threshold ? 1 : 0;
      }
    }
  }
}

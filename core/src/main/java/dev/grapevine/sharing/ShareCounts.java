package dev.grapevine.sharing;

import java.util.Arrays;

/**
 * How often each coordinate of a scheme's domain (parameters or coefficients) has been sent, for
 * the thesis's percentile plots and for schemes that look after coordinates sent too rarely. Two
 * bytes a coordinate; a count stays at 65,535 once it is there.
 */
public final class ShareCounts {

  private final char[] counts;

  public ShareCounts(int size) {
    counts = new char[size];
  }

  /** Number of coordinates. */
  public int size() {
    return counts.length;
  }

  /** How often one coordinate was sent. */
  public int count(int coordinate) {
    return counts[coordinate];
  }

  /** Counts one more for each of the first {@code length} indices. */
  public void add(int[] indices, int length) {
    for (int i = 0; i < length; i++) {
      char count = counts[indices[i]];
      if (count != Character.MAX_VALUE) {
        counts[indices[i]] = (char) (count + 1);
      }
    }
  }

  /**
   * Lists the coordinates that were sent at most {@code limit} times and whose bit in {@code
   * except} is clear; returns how many.
   */
  public int listUpTo(int limit, long[] except, int[] coordinates) {
    int found = 0;
    for (int i = 0; i < counts.length; i++) {
      // Written always and kept or not, so that the loop has no branch to guess wrong.
      coordinates[found] = i;
      int few = (counts[i] - limit - 1) >>> 31;
      found += few & (int) ~(except[i >>> 6] >>> i);
    }
    return found;
  }

  /**
   * The mean count of each hundredth of the coordinates, rarest first: the thesis's Figures 3, 5
   * and 9. Costs a sort of all counts.
   */
  public double[] percentiles() {
    char[] sorted = counts.clone();
    Arrays.sort(sorted);
    double[] means = new double[100];
    for (int p = 0; p < 100; p++) {
      int from = (int) ((long) sorted.length * p / 100);
      int to = Math.max(from + 1, (int) ((long) sorted.length * (p + 1) / 100));
      long sum = 0;
      for (int i = from; i < Math.min(to, sorted.length); i++) {
        sum += sorted[i];
      }
      means[p] = (double) sum / (to - from);
    }
    return means;
  }
}

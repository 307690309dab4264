package dev.grapevine.sharing;

import dev.grapevine.state.State;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * How often each coordinate of a scheme's domain (parameters or coefficients) has been sent, for
 * the thesis's percentile plots and for schemes that look after coordinates sent too rarely. Two
 * bytes a coordinate, and a bit more where rare ones are asked for; a count stays at 65,535 once it
 * is there.
 */
public final class ShareCounts {

  private final char[] counts;

  // One bit for each coordinate sent at most rareLimit times; none before the first question.
  private long[] rare = {};
  private int rareLimit = -1;

  public ShareCounts(int size) {
    counts = new char[size];
  }

  /** Counts that are remembered under {@code name}. */
  public ShareCounts(int size, State state, String name) {
    this(size);
    state.bytes(
        name,
        () -> {
          ByteBuffer bytes = ByteBuffer.allocate(Character.BYTES * counts.length);
          bytes.asCharBuffer().put(counts);
          return bytes.array();
        },
        bytes -> ByteBuffer.wrap(bytes).asCharBuffer().get(counts));
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
    if (rareLimit >= 0) {
      for (int i = 0; i < length; i++) {
        int at = indices[i];
        long gone = (rareLimit - counts[at]) >>> 31;
        rare[at >>> 6] &= ~(gone << at);
      }
    }
  }

  /**
   * Lists the coordinates that were sent at most {@code limit} times and whose bit in {@code
   * except} is clear; returns how many. Costs O(size / 64) and what it lists, as long as the limit
   * stays the same, and a pass over all counts when it changes.
   */
  public int listUpTo(int limit, long[] except, int[] coordinates) {
    if (limit < 0) {
      return 0;
    }
    if (limit != rareLimit) {
      markUpTo(limit);
    }
    int found = 0;
    for (int w = 0; w < rare.length; w++) {
      long word = rare[w] & ~except[w];
      while (word != 0) {
        coordinates[found++] = (w << 6) + Long.numberOfTrailingZeros(word);
        word &= word - 1;
      }
    }
    return found;
  }

  private void markUpTo(int limit) {
    if (rareLimit < 0) {
      rare = new long[(counts.length + 63) >>> 6];
    }
    rareLimit = limit;
    Arrays.fill(rare, 0);
    for (int i = 0; i < counts.length; i++) {
      long few = (counts[i] - limit - 1) >>> 31;
      rare[i >>> 6] |= few << i;
    }
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

package dev.grapevine.compression.values;

import java.util.Arrays;

/**
 * The quasi-static frequencies of fpzip's symbols (after M. Schindler): they are counted all the
 * time, but take effect only when their sum has again reached 2¹⁶, at first often and at last every
 * 1024 symbols. Writer and reader keep the same.
 */
final class FpzipModel {

  static final int TOTAL_BITS = 16;

  private static final int LONGEST_INTERVAL = 1024;

  private final int symbols;
  private final int[] frequency;
  private final int[] cumulative;

  /** Symbols until the next change, and how many follow with a larger increment. */
  private int left;

  private int more;
  private int increment;
  private int interval;

  FpzipModel(int symbols) {
    this.symbols = symbols;
    int total = 1 << TOTAL_BITS;
    frequency = new int[symbols];
    Arrays.fill(frequency, total / symbols);
    for (int i = 0; i < total % symbols; i++) {
      frequency[i]++;
    }
    cumulative = new int[symbols + 1];
    cumulative[symbols] = total;
    interval = symbols >> 4 | 2;
    renew();
  }

  /** Where a symbol's share of the 2¹⁶ begins. */
  int start(int symbol) {
    return cumulative[symbol];
  }

  int share(int symbol) {
    return cumulative[symbol + 1] - cumulative[symbol];
  }

  /** The symbol whose share holds {@code position}. */
  int symbolAt(int position) {
    int low = 0;
    int high = symbols;
    while (low + 1 < high) {
      int middle = (low + high) >>> 1;
      if (position < cumulative[middle]) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low;
  }

  void count(int symbol) {
    if (left == 0) {
      if (more > 0) {
        left = more;
        more = 0;
        increment++;
      } else {
        renew();
      }
    }
    left--;
    frequency[symbol] += increment;
  }

  /** Lets the counts take effect, halves them, and spreads what is then missing to 2¹⁶. */
  private void renew() {
    interval = Math.min(LONGEST_INTERVAL, 2 * interval);
    int missing = 1 << TOTAL_BITS;
    int start = missing;
    for (int i = symbols - 1; i >= 0; i--) {
      start -= frequency[i];
      cumulative[i] = start;
      frequency[i] = frequency[i] >> 1 | 1;
      missing -= frequency[i];
    }
    increment = missing / interval;
    more = missing % interval;
    left = interval - more;
  }
}

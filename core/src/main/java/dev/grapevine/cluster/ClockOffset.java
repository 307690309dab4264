package dev.grapevine.cluster;

/**
 * How far another's monotonic clock is ahead of ours, from messages that it answers at once. The
 * answer that was fastest tells most: it is wrong by at most half of what it took. Of the last
 * sixteen that one counts, so that clocks that drift apart are followed.
 */
final class ClockOffset {

  private static final int REMEMBERED = 16;

  private final long[] offsets = new long[REMEMBERED];
  private final long[] durations = new long[REMEMBERED];
  private int count;

  /**
   * Takes an answer.
   *
   * @param sent when it was asked, by our clock
   * @param heard when it was heard and answered, by the other's
   * @param answered when the answer came, by our clock
   */
  synchronized void answered(long sent, long heard, long answered) {
    int at = count++ % REMEMBERED;
    durations[at] = answered - sent;
    // Both differences may wrap, their mean must not.
    offsets[at] = (heard - sent) - (answered - sent) / 2;
  }

  /** The other's clock minus ours, in ns. */
  synchronized long nanos() {
    int best = 0;
    for (int i = 1; i < Math.min(count, REMEMBERED); i++) {
      best = durations[i] < durations[best] ? i : best;
    }
    return offsets[best];
  }

  synchronized int count() {
    return count;
  }
}

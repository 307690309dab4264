package dev.grapevine.cluster;

/**
 * How far another's monotonic clock is ahead of ours, from messages that it answers at once. The
 * answer that was fastest tells most: it is wrong by at most half of what it took. Of the last
 * sixteen that one counts, so that clocks that drift apart are followed.
 *
 * <p>Processes of one machine read the same clock, and then every message is heard between the
 * moment it was sent and that of its answer. Clocks of two machines count from when each was
 * switched on, so that this never happens by chance. It is worth telling apart: on a busy machine
 * even the fastest answer may take long, and what happened at one worker would seem to have
 * happened before what it followed from at another.
 */
final class ClockOffset {

  private static final int REMEMBERED = 16;

  private final long[] offsets = new long[REMEMBERED];
  private final long[] durations = new long[REMEMBERED];
  private int count;
  private boolean isOurs = true;

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
    isOurs &= heard - sent >= 0 && answered - heard >= 0;
  }

  /** The other's clock minus ours, in ns. */
  synchronized long nanos() {
    if (isOurs) {
      return 0;
    }
    int best = 0;
    for (int i = 1; i < Math.min(count, REMEMBERED); i++) {
      best = durations[i] < durations[best] ? i : best;
    }
    return offsets[best];
  }

  /** Whether it is known as well as it will be: exactly, or from so many answers. */
  synchronized boolean isKnown(int answers) {
    return count >= (isOurs ? 1 : answers);
  }
}

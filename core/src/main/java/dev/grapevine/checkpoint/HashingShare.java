package dev.grapevine.checkpoint;

/**
 * Sees to it that SHA-256 takes a four-hundredth of the time at most. It is by far the dearest part
 * of a cut: where cuts follow each other closely, those between have only the checksum. Safe for
 * concurrent use.
 */
final class HashingShare {

  private static final int PARTS = 400;

  private long took;
  private long end;

  /** Whether there is time for the next cut's. */
  synchronized boolean isThereTime(long now) {
    return took == 0 || now - end >= PARTS * took;
  }

  /** A cut was hashed. */
  synchronized void hashed(long nanos, long now) {
    took = nanos;
    end = now;
  }
}

package dev.grapevine.runtime.simulated;

/** A running hash of what happened when; two runs with the same hash took the same course. */
final class TraceHash {

  private long hash = 0xCBF29CE484222325L;

  /** Where the hash stands, to go on from. */
  long state() {
    return hash;
  }

  void restore(long state) {
    hash = state;
  }

  void add(long value) {
    long mixed = value * 0x9E3779B97F4A7C15L;
    hash = (Long.rotateLeft(hash, 5) ^ mixed ^ (mixed >>> 32)) * 0x100000001B3L;
  }

  @Override
  public String toString() {
    return "%016x".formatted(hash);
  }
}

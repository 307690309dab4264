package dev.grapevine.sharing.partial;

/** By what coordinates are picked. */
public enum Rank {
  /** By lot; a seed travels in place of positions. */
  RANDOM,
  /** One block after the other, the same on all nodes. */
  ROUND_ROBIN,
  /** By magnitude. */
  MAGNITUDE,
  /** By the change of this round's training. */
  CHANGE,
  /** By what training has changed since the coordinate was sent (thesis Alg. 7). */
  ACCUMULATED_V1,
  /** By what training and mixing have changed since the coordinate was sent (thesis Alg. 8). */
  ACCUMULATED_V2;

  /** Whether there are scores, which can be put in relation to magnitude and bounded below. */
  boolean hasScores() {
    return this != RANDOM && this != ROUND_ROBIN;
  }

  /** The thesis's version 1 or 2 of accumulation. */
  static Rank accumulated(int version) {
    return version == 1 ? ACCUMULATED_V1 : ACCUMULATED_V2;
  }
}

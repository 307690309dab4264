package dev.grapevine.results;

/** What a curve is drawn against. */
public enum Axis {
  /** Communication rounds done, counted from 1. */
  ROUNDS,
  /**
   * Passes over all training data that all nodes together have made, as far as the settings of
   * training tell.
   */
  EPOCHS,
  /** Seconds since the run began, wall-clock or virtual, mean over the nodes. */
  TIME,
  /** Bytes sent since the run began, mean over the nodes. */
  BYTES,
  /** Hundredths of the coordinates, those shared least often first; for share counts only. */
  PERCENTILES
}

package dev.grapevine.sharing.partial;

/** Whose lot decides on the coordinates of a round. */
public enum Draw {
  /** Each node's own. */
  OWN,
  /** One for all, from seed and round: all speak of the same coordinates, and the mean is kept. */
  COMMON
}

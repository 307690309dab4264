package dev.grapevine.sharing;

/** What a scheme's messages build on; it decides which protocols a scheme can work with. */
public enum Continuity {
  /** Nothing: each message stands for itself, whoever gets it and whenever. */
  NONE,
  /** The rounds: in each, a node sends to its neighbours and then hears from them. */
  ROUNDS,
  /** The neighbours: as {@link #ROUNDS}, and the neighbours are always the same. */
  NEIGHBOURS
}

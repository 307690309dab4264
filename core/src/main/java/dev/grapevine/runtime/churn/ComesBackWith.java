package dev.grapevine.runtime.churn;

/** What a node remembers when it comes back. */
public enum ComesBackWith {
  /** What it knew at the end of its last round: a restarted process whose disk is whole. */
  MEMORY,
  /** What the newest checkpoint of the run holds of it. */
  CHECKPOINT,
  /** Nothing: it begins as all nodes began. */
  FRESH,
  /** Nothing but the model of a neighbour that it asks for it. */
  NEIGHBOUR
}

package dev.grapevine.engine;

/** Which normalisation a residual network uses. */
public enum Norm {
  /** Group normalisation with two groups, which holds up when nodes see different classes. */
  GROUP,
  /** Batch normalisation with running statistics. */
  BATCH
}

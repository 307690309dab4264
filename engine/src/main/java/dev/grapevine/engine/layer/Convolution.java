package dev.grapevine.engine.layer;

/** How convolutions are computed. */
public enum Convolution {
  /**
   * Minimal filtering where a {@linkplain FilteringRule measured rule} says that it is faster, else
   * direct. Rounding errors grow by up to the {@linkplain
   * dev.grapevine.engine.kernel.MinimalFiltering#amplification amplification} of the tiles used.
   */
  AUTO,
  /** Sums over windows everywhere. */
  DIRECT
}

package dev.grapevine.engine.layer;

/**
 * Memory of a workspace that any layer may use within one call; the next layer overwrites it.
 * Layers reserve when they are bound, so the largest wish of all counts once.
 */
public final class Scratch {

  /** What a piece of memory is used for; pieces do not overlap. */
  enum Use {
    TRANSFORMED_INPUT,
    TRANSFORMED_OUTPUT,
    TRANSFORMED_WEIGHTS
  }

  private final float[][] pieces = new float[Use.values().length][0];

  void reserve(Use use, int floats) {
    if (pieces[use.ordinal()].length < floats) {
      pieces[use.ordinal()] = new float[floats];
    }
  }

  float[] floats(Use use) {
    return pieces[use.ordinal()];
  }
}

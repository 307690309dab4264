package dev.grapevine.engine.layer;

/** Whole numbers that travel as floats: token, user and item ids. */
final class Ids {

  private Ids() {}

  /**
   * The id, if it is one of {@code count}; {@code layer}, {@code what} and sample name it if not.
   */
  static int check(float value, int count, String layer, String what, int sample) {
    int id = (int) value;
    if (id != value || id < 0 || id >= count) {
      throw new IllegalArgumentException(
          "layer %s: %s out of range: %s=%s, expected=0..%d, sample=%d"
              .formatted(layer, what, what, value, count - 1, sample));
    }
    return id;
  }
}

package dev.grapevine.sharing.partial;

/**
 * How much each coordinate wants to be sent: the thesis's importance gauge. Belongs to one node and
 * may keep a vector between rounds.
 */
public interface Gauge {

  /** Whether it looks at the vector from the beginning of the round. */
  default boolean needsStart() {
    return false;
  }

  /** Whether scores depend on nothing but the present coordinates. */
  default boolean isMemoryless() {
    return false;
  }

  /**
   * Writes each coordinate's score, which is never negative.
   *
   * @param start the coordinates when the round began
   * @param now the coordinates after training
   */
  void score(float[] start, float[] now, float[] scores, int size);

  /**
   * Learns that these coordinates are being sent.
   *
   * @param start the coordinates from which changes count again once they have been sent
   */
  default void sent(float[] start, float[] now, int[] indices, int count) {}

  /** Learns by how much mixing has changed each coordinate. */
  default void mixed(float[] delta, int size) {}
}

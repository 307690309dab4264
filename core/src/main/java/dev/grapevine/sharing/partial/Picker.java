package dev.grapevine.sharing.partial;

import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import java.nio.ByteBuffer;

/** Picks the units that are sent, and knows how their positions travel. */
public interface Picker {

  /**
   * A node's coordinates at the moment of picking.
   *
   * @param round the present round
   * @param share the budget as a share of all units
   * @param start the coordinates when the round began, or when the last message was sent if {@code
   *     mixed}; meaningless unless {@link #needsStart}
   * @param now the coordinates after training
   * @param size how many coordinates there are
   * @param valuesPerUnit how many of them are picked together
   * @param mixed whether this round's mixing is in {@code now} already, not yet to come
   */
  record Moment(
      int round,
      double share,
      float[] start,
      float[] now,
      int size,
      int valuesPerUnit,
      boolean mixed) {

    /** How many units there are to pick from. */
    public int units() {
      return size / valuesPerUnit;
    }

    /** The coordinates from which the changes of those sent now will count. */
    public float[] nextStart() {
      return mixed ? now : start;
    }
  }

  /** Whether it looks at the coordinates from the beginning of the round. */
  default boolean needsStart() {
    return false;
  }

  /** Whether all nodes pick the same in a round. */
  default boolean isCommon() {
    return false;
  }

  /** Whether a pick depends on nothing but the present coordinates, the round and chance. */
  boolean isMemoryless();

  /**
   * Picks, lists the units it picked in rising order in {@code units}, and writes what {@link
   * #read} needs to know. Returns how many.
   */
  int pick(Moment moment, int[] units, PayloadWriter out, Scratch scratch);

  /** Learns which coordinates its pick comes to. */
  default void sent(Moment moment, int[] coordinates, int count) {}

  /** Lists a peer's pick out of {@code all} units; returns how many. */
  int read(ByteBuffer in, int all, int[] units, Scratch scratch);

  /** Learns by how much mixing has changed each coordinate. */
  default void mixed(float[] delta, int size) {}
}

package dev.grapevine.sharing.partial;

import dev.grapevine.message.PayloadWriter;
import dev.grapevine.sharing.Workspace;
import java.nio.ByteBuffer;

/** Picks the coordinates that are sent, and knows how their positions travel. */
interface Picker {

  /**
   * A node's coordinates at the moment of picking.
   *
   * @param round the present round
   * @param share the budget as a share of all coordinates
   * @param start the coordinates when the round began, or when the last message was sent if {@code
   *     mixed}; meaningless unless {@link #needsStart}
   * @param now the coordinates after training
   * @param size how many there are
   * @param mixed whether this round's mixing is in {@code now} already, not yet to come
   */
  record Moment(int round, double share, float[] start, float[] now, int size, boolean mixed) {

    /** The coordinates from which the changes of those sent now will count. */
    float[] nextStart() {
      return mixed ? now : start;
    }
  }

  /** Whether it looks at the coordinates from the beginning of the round. */
  boolean needsStart();

  /**
   * Picks, lists what it picked in rising order in {@code indices}, and writes what {@link #read}
   * needs to know. Returns how many.
   */
  int pick(Moment moment, int[] indices, PayloadWriter out, Workspace workspace);

  /** Lists a peer's pick out of {@code size} coordinates; returns how many. */
  int read(ByteBuffer in, int size, int[] indices, Workspace workspace);

  /** Learns by how much mixing has changed each coordinate. */
  void mixed(float[] delta, int size);
}

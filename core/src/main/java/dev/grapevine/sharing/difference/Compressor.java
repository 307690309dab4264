package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Update;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Family;
import dev.grapevine.sharing.SharingContext;
import java.nio.ByteBuffer;

/** The operator C of the papers: a lossy, short description of a vector. Belongs to one node. */
public interface Compressor {

  Family<SharingContext, Compressor> FAMILY =
      new Family<>(
          "compressor",
          Compressor.class,
          SharingContext.class,
          "how a scheme that sends differences makes them small");

  /** Writes C(vector) for the first {@code size} values. */
  void compress(float[] vector, int size, PayloadWriter out, Scratch scratch);

  /**
   * Reads what {@link #compress} wrote of {@code size} values, perhaps into working arrays which
   * the next call uses as well. Leaves the buffer right behind what was read.
   *
   * @throws MalformedPayloadException when the bytes are not what {@link #compress} writes
   */
  Update decode(ByteBuffer in, int size, Scratch scratch);

  /** Whether the expectation of C(v) is v. */
  boolean unbiased();

  /**
   * The relative variance ω of an unbiased compressor: E‖C(v) − v‖² ≤ ω‖v‖² for every v of {@code
   * size} values. A biased one is taken to lose no more than it is given, ‖C(v) − v‖ ≤ ‖v‖.
   */
  default double variance(int size) {
    return 0;
  }

  /** The same for a long vector of independent normal values, which is what to expect. */
  default double usualVariance() {
    return variance(Integer.MAX_VALUE);
  }
}

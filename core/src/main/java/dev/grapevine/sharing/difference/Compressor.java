package dev.grapevine.sharing.difference;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.settings.Family;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.sharing.Workspace;
import java.nio.ByteBuffer;

/** The operator C of the papers: a lossy, short description of a vector. Belongs to one node. */
public interface Compressor {

  Family<SharingContext, Compressor> FAMILY =
      new Family<>(
          "compressor",
          Compressor.class,
          SharingContext.class,
          "how a scheme that sends differences makes them small");

  /** Writes C(vector) for the first {@code size} values; may use slots 6 and 7 and index slot 0. */
  void compress(float[] vector, int size, PayloadWriter out, Workspace workspace);

  /**
   * Reads what {@link #compress} wrote and adds {@code weight} times it to the first {@code size}
   * values of {@code sum}. Leaves the buffer right behind what was read.
   *
   * @throws MalformedPayloadException when the bytes are not what {@link #compress} writes; the sum
   *     may then hold a part of it
   */
  void add(ByteBuffer in, float weight, float[] sum, int size, Workspace workspace);

  /** Whether the expectation of C(v) is v. */
  boolean unbiased();
}

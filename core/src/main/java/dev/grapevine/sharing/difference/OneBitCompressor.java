package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Update;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Incoming;
import java.nio.ByteBuffer;

/**
 * One bit a value: all that are zero or more become their mean, and so do those below zero. The
 * paper does this for each column of each matrix and feeds the error back; here it is the whole
 * vector, and the feedback is the scheme's. Biased, and never farther from the vector than zero is,
 * since a mean is the nearest constant. On the wire: both means, one bit each.
 */
@Kind(
    name = "one-bit",
    summary = "one bit a value: the mean of those above zero, or of those below",
    paper =
        "Seide, Fu, Droppo, Li, Yu, 1-bit stochastic gradient descent and its application to"
            + " data-parallel distributed training of speech DNNs, Interspeech 2014")
public final class OneBitCompressor implements Compressor {

  @Override
  public void compress(float[] vector, int size, PayloadWriter out, Scratch scratch) {
    double above = 0;
    double below = 0;
    int negative = 0;
    byte[] bits = new byte[bytes(size)];
    for (int i = 0; i < size; i++) {
      if (vector[i] < 0) {
        below += vector[i];
        negative++;
        bits[i >> 3] |= (byte) (1 << (i & 7));
      } else {
        above += vector[i];
      }
    }
    out.writeFloat((float) (above / Math.max(1, size - negative)));
    out.writeFloat((float) (below / Math.max(1, negative)));
    out.writeBytes(bits, 0, bits.length);
  }

  private static int bytes(int size) {
    return (size + 7) / 8;
  }

  @Override
  public Update decode(ByteBuffer in, int size, Scratch scratch) {
    Incoming.require(in, 2L * Float.BYTES + bytes(size));
    float above = in.getFloat();
    float below = in.getFloat();
    int bits = in.position();
    in.position(bits + bytes(size));
    Scratch.Room room = scratch.room(size, size);
    for (int i = 0; i < size; i++) {
      boolean negative = (in.get(bits + (i >> 3)) >> (i & 7) & 1) != 0;
      room.indices()[room.at() + i] = i;
      room.values()[room.at() + i] = negative ? below : above;
    }
    return new Update.Sparse(room.indices(), room.values(), room.at(), room.at() + size);
  }

  @Override
  public boolean unbiased() {
    return false;
  }
}

package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Update;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.sharing.Selection;
import dev.grapevine.sharing.Shares;
import java.nio.ByteBuffer;

/**
 * The k largest magnitudes become ±μ, where μ is their mean, all others 0. Biased. On the wire: μ,
 * one bit of sign each, the positions.
 */
@Kind(
    name = "ternary",
    summary = "the values of largest magnitude, all replaced by their mean magnitude and sign",
    paper =
        "Sattler, Wiedemann, Mueller, Samek: Robust and Communication-Efficient Federated Learning"
            + " from Non-IID Data, 2019, Algorithm 1")
public final class TernaryCompressor implements Compressor {

  private final double alpha;
  private final IndexCodec positions;
  private final Selection selection = new Selection();

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the share of values kept, in (0, 1]") @Default("0.01") double alpha,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices) {
    public Settings {
      Shares.require(alpha, "alpha");
    }
  }

  public TernaryCompressor(Settings settings) {
    alpha = settings.alpha();
    positions = settings.indices().create();
  }

  @Override
  public void compress(float[] vector, int size, PayloadWriter out, Scratch scratch) {
    int count = Budget.count(alpha, size);
    float[] magnitudes = scratch.floats("compressor.magnitudes", size);
    int[] indices = scratch.ints("sharing.indices", size);
    for (int i = 0; i < size; i++) {
      magnitudes[i] = Math.abs(vector[i]);
    }
    selection.select(magnitudes, size, count, indices, scratch);
    double sum = 0;
    byte[] signs = new byte[signBytes(count)];
    for (int i = 0; i < count; i++) {
      sum += magnitudes[indices[i]];
      signs[i >> 3] |= (byte) ((vector[indices[i]] < 0 ? 1 : 0) << (i & 7));
    }
    out.writeFloat((float) (sum / count));
    out.writeBytes(signs, 0, signs.length);
    out.beginMetadata();
    positions.encode(indices, count, size, out, scratch);
    out.endMetadata();
  }

  private static int signBytes(int count) {
    return (count + 7) / 8;
  }

  @Override
  public Update decode(ByteBuffer in, int size, Scratch scratch) {
    int count = Budget.count(alpha, size);
    Incoming.require(in, Float.BYTES + (long) signBytes(count));
    float mean = in.getFloat();
    int signs = in.position();
    in.position(signs + signBytes(count));
    int[] indices = scratch.ints("sharing.indices", size);
    int read = positions.decode(in, size, indices, scratch);
    if (read != count) {
      throw new MalformedPayloadException(
          "a ternary update has %d values, got %d".formatted(count, read));
    }
    float[] values = scratch.floats("compressor.values", size);
    for (int i = 0; i < count; i++) {
      boolean negative = (in.get(signs + (i >> 3)) >> (i & 7) & 1) != 0;
      values[i] = negative ? -mean : mean;
    }
    return new Update.Sparse(indices, values, 0, count);
  }

  @Override
  public boolean unbiased() {
    return false;
  }
}

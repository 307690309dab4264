package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Update;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.sharing.RandomMask;
import dev.grapevine.sharing.Shares;
import dev.grapevine.sharing.SharingContext;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/**
 * Keeps k of n values drawn by lot; the seed of the lot travels in place of positions. As they are,
 * E‖C(v) − v‖² = (1 − k/n)‖v‖²; scaled by n/k, the expectation of C(v) is v.
 */
@Kind(
    name = "random",
    summary = "values drawn by lot; a seed travels in place of positions",
    paper = "Stich, Cordonnier, Jaggi, Sparsified SGD with memory, 2018")
public final class RandomCompressor implements Compressor {

  private final Settings settings;
  private final FloatCodec codec;
  private final RandomGenerator random;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the share of values kept, in (0, 1]") @Default("0.1") double alpha,
      @Doc("whether to scale them by 1/alpha, which removes the bias") @Default("false")
          boolean rescale,
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values) {
    public Settings {
      Shares.require(alpha, "alpha");
    }
  }

  public RandomCompressor(Settings settings, SharingContext context) {
    this.settings = settings;
    codec = settings.values().create();
    random = context.random();
  }

  @Override
  public void compress(float[] vector, int size, PayloadWriter out, Scratch scratch) {
    int count = Budget.count(settings.alpha(), size);
    long seed = random.nextLong();
    int[] indices = scratch.ints("sharing.indices", size);
    RandomMask.list(seed, size, count, indices, scratch);
    float scale = settings.rescale() ? (float) size / count : 1;
    float[] values = scratch.floats("compressor.values", size);
    for (int i = 0; i < count; i++) {
      values[i] = scale * vector[indices[i]];
    }
    out.beginMetadata();
    out.writeLong(seed);
    out.writeInt(count);
    out.endMetadata();
    codec.encode(values, count, out, scratch);
  }

  @Override
  public Update decode(ByteBuffer in, int size, Scratch scratch) {
    Incoming.require(in, Long.BYTES + Integer.BYTES);
    long seed = in.getLong();
    int count = in.getInt();
    if (count < 0 || count > size) {
      throw new MalformedPayloadException(
          "mask is larger than the model: count=%d, size=%d".formatted(count, size));
    }
    int[] indices = scratch.ints("sharing.indices", size);
    float[] values = scratch.floats("compressor.values", size);
    RandomMask.list(seed, size, count, indices, scratch);
    codec.decode(in, values, count, scratch);
    return new Update.Sparse(indices, values, 0, count);
  }

  @Override
  public boolean unbiased() {
    return settings.rescale() || settings.alpha() == 1;
  }

  /** n/k − 1, exactly. */
  @Override
  public double variance(int size) {
    return (double) size / Budget.count(settings.alpha(), size) - 1;
  }
}

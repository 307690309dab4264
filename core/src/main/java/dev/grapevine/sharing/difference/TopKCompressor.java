package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Update;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Selection;
import dev.grapevine.sharing.Shares;
import java.nio.ByteBuffer;

/**
 * Keeps the k values of largest magnitude. Biased: ‖C(v) − v‖² ≤ (1 − k/n)‖v‖². Costs one
 * selection.
 */
@Kind(
    name = "topk",
    summary = "the values of largest magnitude",
    paper = "Stich, Cordonnier, Jaggi, Sparsified SGD with memory, 2018")
public final class TopKCompressor implements Compressor {

  private final double alpha;
  private final IndexCodec indexCodec;
  private final FloatCodec floatCodec;
  private final Selection selection = new Selection();

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the share of values kept, in (0, 1]") @Default("0.1") double alpha,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values) {
    public Settings {
      Shares.require(alpha, "alpha");
    }
  }

  public TopKCompressor(Settings settings) {
    alpha = settings.alpha();
    indexCodec = settings.indices().create();
    floatCodec = settings.values().create();
  }

  @Override
  public void compress(float[] vector, int size, PayloadWriter out, Scratch scratch) {
    float[] scores = scratch.floats("compressor.magnitudes", size);
    for (int i = 0; i < size; i++) {
      scores[i] = Math.abs(vector[i]);
    }
    int count = Budget.count(alpha, size);
    int[] indices = scratch.ints("sharing.indices", size);
    selection.select(scores, size, count, indices, scratch);
    float[] values = scratch.floats("compressor.values", size);
    for (int i = 0; i < count; i++) {
      values[i] = vector[indices[i]];
    }
    out.beginMetadata();
    indexCodec.encode(indices, count, size, out, scratch);
    out.endMetadata();
    floatCodec.encode(values, count, out, scratch);
  }

  @Override
  public Update decode(ByteBuffer in, int size, Scratch scratch) {
    int[] indices = scratch.ints("sharing.indices", size);
    float[] values = scratch.floats("compressor.values", size);
    int count = indexCodec.decode(in, size, indices, scratch);
    floatCodec.decode(in, values, count, scratch);
    return new Update.Sparse(indices, values, 0, count);
  }

  @Override
  public boolean unbiased() {
    return false;
  }
}

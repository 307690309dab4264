package dev.grapevine.sharing.difference;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.compression.TopK;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Shares;
import dev.grapevine.sharing.Workspace;
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

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the share of values kept, in (0, 1]") @Default("0.1") double alpha,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values) {
    public Settings {
      Shares.require(alpha, "alpha");
    }
  }

  @SuppressWarnings("NullAway") // Void has no other value
  public TopKCompressor(Settings settings) {
    alpha = settings.alpha();
    indexCodec = settings.indices().create(null);
    floatCodec = settings.values().create(null);
  }

  @Override
  public void compress(float[] vector, int size, PayloadWriter out, Workspace workspace) {
    float[] scores = workspace.floats(7, size);
    for (int i = 0; i < size; i++) {
      scores[i] = Math.abs(vector[i]);
    }
    int count = Budget.count(alpha, size);
    int[] indices = workspace.ints(0, size);
    TopK.select(scores, size, count, indices);
    float[] values = workspace.floats(6, size);
    for (int i = 0; i < count; i++) {
      values[i] = vector[indices[i]];
    }
    out.beginMetadata();
    indexCodec.encode(indices, count, size, out);
    out.endMetadata();
    floatCodec.encode(values, count, out);
  }

  @Override
  public void add(ByteBuffer in, float weight, float[] sum, int size, Workspace workspace) {
    int[] indices = workspace.ints(0, size);
    float[] values = workspace.floats(6, size);
    int count = indexCodec.decode(in, size, indices);
    floatCodec.decode(in, values, count);
    for (int i = 0; i < count; i++) {
      sum[indices[i]] += weight * values[i];
    }
  }

  @Override
  public boolean unbiased() {
    return false;
  }
}

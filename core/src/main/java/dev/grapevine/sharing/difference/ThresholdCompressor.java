package dev.grapevine.sharing.difference;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.aggregation.Update;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.nio.ByteBuffer;

/**
 * Keeps the values whose magnitude is the threshold or more, however many that are: much in the
 * beginning, little when models agree. Biased, and never farther from the vector than zero is.
 */
@Kind(
    name = "threshold",
    summary = "the values whose magnitude is a threshold or more",
    paper =
        "Strom, Scalable distributed DNN training using commodity GPU cloud computing, Interspeech"
            + " 2015")
public final class ThresholdCompressor implements Compressor {

  private final float threshold;
  private final IndexCodec indexCodec;
  private final FloatCodec floatCodec;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the least magnitude that is sent, at least 0") @Default("0.001") double threshold,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values) {
    public Settings {
      require(
          threshold >= 0 && Double.isFinite(threshold),
          "threshold",
          "threshold must not be negative: threshold=" + threshold);
    }
  }

  public ThresholdCompressor(Settings settings) {
    threshold = (float) settings.threshold();
    indexCodec = settings.indices().create();
    floatCodec = settings.values().create();
  }

  @Override
  public void compress(float[] vector, int size, PayloadWriter out, Scratch scratch) {
    int[] indices = scratch.ints("sharing.indices", size);
    float[] values = scratch.floats("compressor.values", size);
    int count = 0;
    for (int i = 0; i < size; i++) {
      // What is not a number must travel too, so that a diverged node is seen to be one.
      if (!(Math.abs(vector[i]) < threshold)) {
        indices[count] = i;
        values[count++] = vector[i];
      }
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

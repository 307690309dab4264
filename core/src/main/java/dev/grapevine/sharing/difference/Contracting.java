package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Update;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import java.nio.ByteBuffer;

/**
 * C(v)/(1 + ω) for an unbiased compressor of relative variance ω: then E‖C(v)/(1 + ω) − v‖² ≤ ω/(1
 * + ω) · ‖v‖², less than it was, which schemes need that send what the last messages left over.
 * C(v) alone multiplies it by √ω and blows up where ω is above 1 (Koloskova, Stich, Jaggi 2019).
 */
final class Contracting implements Compressor {

  private final Compressor compressor;
  private final float scale;

  private Contracting(Compressor compressor, double variance) {
    this.compressor = compressor;
    scale = (float) (1 / (1 + variance));
  }

  /** The compressor itself if it contracts, or scaled so that it does. */
  static Compressor of(Compressor compressor, int size) {
    double variance = compressor.unbiased() ? compressor.variance(size) : 0;
    return variance > 0 ? new Contracting(compressor, variance) : compressor;
  }

  @Override
  public void compress(float[] vector, int size, PayloadWriter out, Scratch scratch) {
    // All unbiased compressors scale with their vector.
    float[] scaled = scratch.floats("compressor.scaled", size);
    for (int i = 0; i < size; i++) {
      scaled[i] = scale * vector[i];
    }
    compressor.compress(scaled, size, out, scratch);
  }

  @Override
  public Update decode(ByteBuffer in, int size, Scratch scratch) {
    return compressor.decode(in, size, scratch);
  }

  @Override
  public boolean unbiased() {
    return false;
  }
}

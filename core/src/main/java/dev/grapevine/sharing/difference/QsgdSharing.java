package dev.grapevine.sharing.difference;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;

/**
 * Differences quantized by QSGD: {@link DcdPsgd} with {@link QsgdCompressor}. Keeps two vectors.
 */
@Kind(
    name = "qsgd",
    summary = "differences quantized to a few bits a value",
    paper = "Alistarh, Grubic, Li, Tomioka, Vojnovic, QSGD, NeurIPS 2017")
public final class QsgdSharing {

  private QsgdSharing() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("bits a value, its sign included, from 2 to 16") @Default("8") int bits,
      @Doc("values that share one norm, at least 1") @Default("512") int bucket,
      @Doc("what levels are shares of: euclidean, as in the paper, or max, with less noise")
          @Default("euclidean")
          QsgdCompressor.Norm norm) {
    public Settings {
      var unused = new QsgdCompressor.Settings(bits, bucket, norm);
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    QsgdCompressor.Settings quantizer =
        new QsgdCompressor.Settings(settings.bits(), settings.bucket(), settings.norm());
    Compressor compressor =
        SameStart.requireLittleNoise(new QsgdCompressor(quantizer, context), "qsgd", "bits");
    return new DcdPsgd(compressor, "qsgd", context);
  }
}

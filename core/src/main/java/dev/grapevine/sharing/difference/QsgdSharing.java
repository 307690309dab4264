package dev.grapevine.sharing.difference;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.sharing.SharingContext;

/**
 * Differences quantized by QSGD: {@link DcdPsgd} with {@link QsgdCompressor}, the pairing of the
 * DCD-PSGD paper's experiments. Keeps two vectors.
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
      @Doc("values that share one norm, at least 1") @Default("512") int bucket) {
    public Settings {
      var unused = new QsgdCompressor.Settings(bits, bucket);
    }
  }

  /** Builds the scheme for one node. */
  public static Sharing create(Settings settings, SharingContext context) {
    QsgdCompressor.Settings quantizer =
        new QsgdCompressor.Settings(settings.bits(), settings.bucket());
    return new DcdPsgd(new QsgdCompressor(quantizer, context), "qsgd", context);
  }
}

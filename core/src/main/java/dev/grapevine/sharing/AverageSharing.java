package dev.grapevine.sharing;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;

/**
 * Sends the whole vector; the node's own and all that arrived count the same, whatever the
 * topology's weights. Keeps the mean of all models only on regular graphs.
 */
@Kind(name = "average", summary = "the whole model, averaged with equal weights")
public final class AverageSharing {

  private AverageSharing() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values) {}

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return new DenseEncoding(context.vector(), settings.values().create(), true);
  }
}

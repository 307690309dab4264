package dev.grapevine.sharing;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.values.RawFloats;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;

/** Sends the whole vector. Costs 4 bytes per parameter and neighbour unless values are coded. */
@Kind(
    name = "full",
    summary = "the whole model, mixed with the topology's weights",
    paper =
        "Lian et al., Can Decentralized Algorithms Outperform Centralized Algorithms?, NIPS 2017")
public final class FullSharing {

  private FullSharing() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values) {}

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return new DenseEncoding(context.vector(), settings.values().create(), false);
  }

  /** The scheme with values as they are. */
  public static Encoding raw(SharingContext context) {
    return new DenseEncoding(context.vector(), new RawFloats(), false);
  }
}

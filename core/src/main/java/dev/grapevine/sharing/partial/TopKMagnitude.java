package dev.grapevine.sharing.partial;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;

/**
 * Top-k by magnitude: the values of the k parameters with the largest |x|. The thesis's weakest
 * baseline: most parameters are never sent. Keeps no vector.
 */
@Kind(
    name = "topk",
    summary = "the parameters of largest magnitude",
    paper =
        "Wigger, Improving communication-efficiency in decentralized and federated learning systems, EPFL 2022, section 5.5.1")
public final class TopKMagnitude {

  private TopKMagnitude() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      Sending sending) {}

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return settings
        .sending()
        .recipe(context)
        .rank(Rank.MAGNITUDE)
        .indices(settings.indices().create())
        .build();
  }
}

package dev.grapevine.sharing.partial;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;

/**
 * Top-k by model change: the values of the k parameters with the largest |x^(t+½) − x^t|. Keeps one
 * vector, the parameters at the beginning of the round.
 */
@Kind(
    name = "topk-change",
    summary = "the parameters that training changed most",
    paper =
        "Wigger, Improving communication-efficiency in decentralized and federated learning systems, EPFL 2022, Alg. 6")
public final class TopKChange {

  private TopKChange() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      Sending sending) {}

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return settings
        .sending()
        .recipe(context)
        .rank(Rank.CHANGE)
        .indices(settings.indices().create())
        .build();
  }
}

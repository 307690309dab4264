package dev.grapevine.sharing.partial;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;

/**
 * Bounded accumulation: of the budget k, ⌈k(1−α_low)⌉ coordinates by accumulated change, the others
 * by lot among those sent fewer than t·α·α_low times. Keeps the vectors of {@link Accumulation} and
 * two bytes a parameter.
 */
@Kind(
    name = "bounded",
    summary = "accumulated change, with a part of the budget for the rarely sent",
    paper =
        "Wigger, Improving communication-efficiency in decentralized and federated learning systems, EPFL 2022, Alg. 9")
public final class BoundedAccumulation {

  private BoundedAccumulation() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the part of the budget kept for coordinates sent too rarely, in [0, 1)") @Default("0.2")
          double alphaLow,
      @Doc("1 counts changes by training, 2 those by mixing as well") @Default("2") int version,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      Sending sending) {
    public Settings {
      Recipe.requireAlphaLow(alphaLow, "alpha-low");
      Recipe.requireVersion(version);
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return settings
        .sending()
        .recipe(context)
        .rank(Rank.accumulated(settings.version()))
        .bounded(settings.alphaLow())
        .indices(settings.indices().create())
        .build();
  }
}

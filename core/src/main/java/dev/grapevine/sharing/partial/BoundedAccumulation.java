package dev.grapevine.sharing.partial;

import dev.grapevine.aggregation.Averaging;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.Shares;
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
      @Doc("the share of coordinates sent in a round, in (0, 1]") @Default("0.1") double alpha,
      @Doc("how the share develops from alpha") @Default("fixed") Choice<Double, Budget> schedule,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values,
      @Doc("how what arrived is averaged") @Default("mixing-weights") Averaging averaging,
      @Doc("whether to count how often each coordinate is sent") @Default("false")
          boolean countShares) {
    public Settings {
      Recipe.requireAlphaLow(alphaLow, "alpha-low");
      Recipe.requireVersion(version);
      Shares.require(alpha, "alpha");
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return new Recipe(context)
        .rank(Rank.accumulated(settings.version()))
        .bounded(settings.alphaLow())
        .budget(settings.schedule().create(settings.alpha()))
        .indices(settings.indices().create())
        .values(settings.values().create())
        .averaging(settings.averaging())
        .counting(settings.countShares())
        .build();
  }
}

package dev.grapevine.sharing.partial;

import dev.grapevine.aggregation.Averaging;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.Shares;
import dev.grapevine.sharing.SharingContext;

/**
 * Normalized accumulation: top-k by |v| / (|x| + ε) with v the accumulated change of {@link
 * Accumulation}. Keeps as many vectors as that.
 */
@Kind(
    name = "normalized",
    summary = "accumulated change in relation to magnitude",
    paper =
        "Wigger, Improving communication-efficiency in decentralized and federated learning systems, EPFL 2022, section 5.0.4")
public final class NormalizedAccumulation {

  private NormalizedAccumulation() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("added to a coordinate's magnitude before dividing by it, above 0") @Default("0.01")
          double epsilon,
      @Doc("1 counts changes by training, 2 those by mixing as well") @Default("2") int version,
      @Doc("the share of coordinates sent in a round, in (0, 1]") @Default("0.1") double alpha,
      @Doc("how the share develops from alpha") @Default("fixed") Choice<Double, Budget> schedule,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values,
      @Doc("how what arrived is averaged") @Default("mixing-weights") Averaging averaging,
      @Doc("whether to count how often each coordinate is sent") @Default("false")
          boolean countShares) {
    public Settings {
      SettingException.require(
          epsilon > 0, "epsilon", "epsilon must be above 0: epsilon=" + epsilon);
      Recipe.requireVersion(version);
      Shares.require(alpha, "alpha");
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return new Recipe(context)
        .rank(Rank.accumulated(settings.version()))
        .normalized(settings.epsilon())
        .budget(settings.schedule().create(settings.alpha()))
        .indices(settings.indices().create())
        .values(settings.values().create())
        .averaging(settings.averaging())
        .counting(settings.countShares())
        .build();
  }
}

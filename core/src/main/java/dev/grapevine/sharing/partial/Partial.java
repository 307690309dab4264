package dev.grapevine.sharing.partial;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.aggregation.Averaging;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.IndexCodec;
import dev.grapevine.compression.Transform;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.Shares;
import dev.grapevine.sharing.SharingContext;

/**
 * Any combination of domain, rank, budget, codecs and averaging. The other kinds of partial sharing
 * are short forms of it.
 */
@Kind(
    name = "partial",
    summary = "some coordinates: transform, rank, budget and codecs as you like",
    paper =
        "Wigger, Improving communication-efficiency in decentralized and federated learning systems, EPFL 2022, sections 5.0.4 to 5.2")
public final class Partial {

  private Partial() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the domain in which coordinates are picked") @Default("identity")
          Choice<Void, Transform> transform,
      @Doc("by what they are picked") @Default("accumulated-v2") Rank rank,
      @Doc("whose lot decides with rank = random: each node's own, or one common to all")
          @Default("own")
          Draw draw,
      @Doc("whether scores count in relation to magnitude") @Default("false") boolean normalized,
      @Doc("added to the magnitude before dividing by it, above 0") @Default("0.01") double epsilon,
      @Doc("the part of the budget kept for coordinates sent too rarely, in [0, 1)") @Default("0.0")
          double bounded,
      @Doc("the share of coordinates sent in a round, in (0, 1]") @Default("0.1") double alpha,
      @Doc("how the share develops from alpha") @Default("fixed") Choice<Double, Budget> budget,
      @Doc("how positions travel") @Default("elias-gamma") Choice<Void, IndexCodec> indices,
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values,
      @Doc("how what arrived is averaged") @Default("mixing-weights") Averaging averaging,
      @Doc("send everything where positions would cost more than that") @Default("true")
          boolean capped,
      @Doc("whether to count how often each coordinate is sent") @Default("false")
          boolean countShares) {
    public Settings {
      Shares.require(alpha, "alpha");
      Recipe.requireAlphaLow(bounded, "bounded");
      require(epsilon > 0, "epsilon", "epsilon must be above 0: epsilon=" + epsilon);
      String noScores = "there are no scores to work on: rank=" + rank;
      require(rank.hasScores() || !normalized, "normalized", noScores);
      require(rank.hasScores() || bounded == 0, "bounded", noScores);
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return new Recipe(context)
        .transform(settings.transform().create())
        .rank(settings.rank())
        .draw(settings.draw())
        .normalized(settings.normalized() ? settings.epsilon() : 0)
        .bounded(settings.bounded())
        .budget(settings.budget().create(settings.alpha()))
        .indices(settings.indices().create())
        .values(settings.values().create())
        .averaging(settings.averaging())
        .capped(settings.capped())
        .counting(settings.countShares())
        .build();
  }
}

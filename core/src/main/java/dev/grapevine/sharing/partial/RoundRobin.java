package dev.grapevine.sharing.partial;

import dev.grapevine.aggregation.Averaging;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.Shares;
import dev.grapevine.sharing.SharingContext;

/**
 * Round-robin partitioning: in round t all nodes send block t mod B of the parameters, where B =
 * ⌈1/α⌉.
 *
 * <p>x_i ← x_i + Σ_j w_ij m_t ⊙ (x_j − x_i) with m_t the same block for all. Keeps no vector. Since
 * all nodes send the same coordinates, symmetric weights preserve the mean in each round.
 */
@Kind(
    name = "round-robin",
    summary = "one block of the model after the other, the same on all nodes",
    paper =
        "Hegedűs, Danner, Jelasity, Decentralized learning works: an empirical comparison of gossip learning and federated learning, 2021")
public final class RoundRobin {

  private RoundRobin() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the share of coordinates sent in a round, in (0, 1]") @Default("0.1") double alpha,
      @Doc("how the share develops from alpha") @Default("fixed") Choice<Double, Budget> schedule,
      @Doc("how values travel") @Default("raw") Choice<Void, FloatCodec> values,
      @Doc("how what arrived is averaged") @Default("mixing-weights") Averaging averaging,
      @Doc("whether to count how often each coordinate is sent") @Default("false")
          boolean countShares) {
    public Settings {
      Shares.require(alpha, "alpha");
    }
  }

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return new Recipe(context)
        .rank(Rank.ROUND_ROBIN)
        .budget(settings.schedule().create(settings.alpha()))
        .values(settings.values().create())
        .averaging(settings.averaging())
        .counting(settings.countShares())
        .build();
  }
}

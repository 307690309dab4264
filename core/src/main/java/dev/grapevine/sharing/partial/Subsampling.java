package dev.grapevine.sharing.partial;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;

/**
 * Random subsampling: each node sends the values at coordinates drawn by lot, with the seed of the
 * lot in place of their positions.
 *
 * <p>x_i ← x_i + Σ_j w_ij m_j ⊙ (x_j − x_i) with m_j the mask of node j. Keeps no vector. Preserves
 * the mean in expectation, not in each round: the masks of two neighbours differ. With {@code draw
 * = "common"} all nodes have the same mask in a round, and symmetric weights preserve the mean.
 */
@Kind(
    name = "subsampling",
    summary = "random coordinates; a seed travels in place of positions",
    paper =
        "Hegedűs, Danner, Jelasity, Decentralized learning works: an empirical comparison of gossip learning and federated learning, 2021")
public final class Subsampling {

  private Subsampling() {}

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("whose lot decides: each node's own, or one common to all, which keeps the mean")
          @Default("own")
          Draw draw,
      Sending sending) {}

  /** Builds the scheme for one node. */
  public static Encoding create(Settings settings, SharingContext context) {
    return settings.sending().recipe(context).rank(Rank.RANDOM).draw(settings.draw()).build();
  }
}

package dev.grapevine.sharing.partial;

import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
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

  /** Builds the scheme for one node. */
  public static Encoding create(Sending sending, SharingContext context) {
    return sending.recipe(context).rank(Rank.ROUND_ROBIN).build();
  }
}

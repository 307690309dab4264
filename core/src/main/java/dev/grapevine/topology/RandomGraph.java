package dev.grapevine.topology;

import dev.grapevine.random.L64X128Mix;
import dev.grapevine.random.SplitMix;
import java.util.random.RandomGenerator;

/** A graph drawn by lot: equal random streams give equal graphs. */
interface RandomGraph {

  Graph draw(RandomGenerator random);

  /**
   * The topology of this random graph.
   *
   * @param redrawEvery after how many rounds a new graph is drawn; 0 keeps the first for ever
   */
  default Topology topology(TopologyContext context, WeightRule rule, int redrawEvery) {
    return redrawEvery == 0
        ? new StaticTopology(draw(random(context.seed(), 0)), rule)
        : new RedrawnTopology(this, rule, context, redrawEvery);
  }

  /** The random stream of the n-th graph of a run. */
  static RandomGenerator random(long seed, int draw) {
    long topology = SplitMix.finish(seed ^ 0x746F706F6C6F6779L);
    return new L64X128Mix(SplitMix.finish(topology + SplitMix.GOLDEN_GAMMA * (draw + 1L)));
  }
}

package dev.grapevine.topology;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

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
    long mixed = mix(mix(seed ^ 0x746F706F6C6F6779L) + 0x9E3779B97F4A7C15L * (draw + 1L));
    return RandomGeneratorFactory.of("L64X128MixRandom").create(mixed);
  }

  /** The finalizer of MurmurHash3 in Stafford's variant 13: every input bit reaches every other. */
  private static long mix(long z) {
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}

package dev.grapevine.sharing;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.learning.SampleExchange;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a sharing scheme knows of its node.
 *
 * @param node the node's number
 * @param nodes how many nodes there are
 * @param parameters the node's live parameter vector: training changes it between rounds, and
 *     {@link Sharing#merge} changes it in place
 * @param blocks the named tensors that the vector is made of, in order
 * @param seed the run's seed, the same on every node
 * @param random the scheme's own random stream on this node
 * @param samples the node's training data, for schemes that send samples; null when the learner
 *     cannot take new ones
 */
public record SharingContext(
    int node,
    int nodes,
    float[] parameters,
    List<ParameterBlock> blocks,
    long seed,
    RandomGenerator random,
    @Nullable SampleExchange samples) {

  /** The context of a node whose samples stay where they are. */
  public SharingContext(
      int node,
      int nodes,
      float[] parameters,
      List<ParameterBlock> blocks,
      long seed,
      RandomGenerator random) {
    this(node, nodes, parameters, blocks, seed, random, null);
  }
}

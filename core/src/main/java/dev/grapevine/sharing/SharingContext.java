package dev.grapevine.sharing;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.learning.SampleExchange;
import dev.grapevine.state.State;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What an encoding knows of its node and vector.
 *
 * @param node the node's number
 * @param nodes how many nodes there are
 * @param vector the node's live vector: training changes it between rounds, and {@link
 *     Encoding#combine} changes it in place
 * @param blocks the named tensors that the vector is made of, in order
 * @param seed the run's seed, the same on every node
 * @param random the encoding's own random stream on this node
 * @param state where the encoding declares what it must remember
 * @param samples the node's training data, for schemes that send samples; null when the learner
 *     cannot take new ones
 */
public record SharingContext(
    int node,
    int nodes,
    float[] vector,
    List<ParameterBlock> blocks,
    long seed,
    RandomGenerator random,
    State state,
    @Nullable SampleExchange samples) {

  /** The context of a node that begins and whose samples stay where they are. */
  public SharingContext(
      int node,
      int nodes,
      float[] vector,
      List<ParameterBlock> blocks,
      long seed,
      RandomGenerator random) {
    this(node, nodes, vector, blocks, seed, random, State.fresh(), null);
  }
}

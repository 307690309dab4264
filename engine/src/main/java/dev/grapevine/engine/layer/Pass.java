package dev.grapevine.engine.layer;

/**
 * A layer at work in one thread. Within a step the workspace calls {@link #prepare}, then {@link
 * #forward} over tiles of samples in rising order that together cover the batch; when training,
 * then {@link #backward} over tiles in rising order, then {@link #finish}.
 */
public interface Pass {

  /** Before the first tile: pack weights, clear sums. */
  default void prepare(Step step) {}

  /** Reads the input's values and writes the output's, for samples [from, to). */
  void forward(Step step, int from, int to);

  /**
   * Reads the output's gradient and writes the input's (if there is one), for samples [from, to).
   * Parameter gradients are summed up over the tiles.
   */
  void backward(Step step, int from, int to);

  /** After the last tile of a training step: leave the parameter gradients in the step's vector. */
  default void finish(Step step) {}
}

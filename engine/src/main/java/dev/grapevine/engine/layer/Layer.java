package dev.grapevine.engine.layer;

import java.util.List;

/** A layer as described: immutable, its shapes known, without values. */
public interface Layer {

  Shape input();

  Shape output();

  /** Its trainable tensors in PyTorch's order. */
  default List<Parameter> parameters() {
    return List.of();
  }

  /** Tensors that follow the data but get no gradient (running statistics). */
  default List<Parameter> statistics() {
    return List.of();
  }

  /** The margin of zeros that it reads around its input. */
  default int inputMargin() {
    return 0;
  }

  /** The margin of zeros that it reads around its output's gradient. */
  default int gradientMargin() {
    return 0;
  }

  /** Must it see all samples of the batch in one call? If not, tiles of samples may be passed. */
  default boolean needsWholeBatch() {
    return false;
  }

  /**
   * May its way back write into gradients of samples that come next, which are not yet computed?
   * Products of convolutions do: they have whole blocks of rows.
   */
  default boolean writesAhead() {
    return false;
  }

  /** Multiplications of the forward pass of one sample, where they are what counts. */
  default long multiplyAdds() {
    return 0;
  }

  /** The layer's computation in one workspace. Allocates all the memory that it will ever need. */
  Pass pass(Binding binding);
}

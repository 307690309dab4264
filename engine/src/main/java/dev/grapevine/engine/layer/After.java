package dev.grapevine.engine.layer;

/** What a normalisation (or a plain ReLU) does to its result in the same breath. */
public enum After {
  NOTHING,
  RELU,
  /** ReLU, then 2×2 max pooling with stride 2. */
  RELU_POOL;

  Shape.Image output(Shape.Image input) {
    if (this != RELU_POOL) {
      return input;
    }
    if (input.height() < 2 || input.width() < 2) {
      throw new IllegalArgumentException("too small to pool 2×2: input=" + input);
    }
    return new Shape.Image(input.channels(), input.height() / 2, input.width() / 2);
  }
}

package dev.grapevine.engine;

/**
 * One named tensor inside a model's flat parameter vector.
 *
 * @param name PyTorch's name for it, such as {@code conv1.weight}
 * @param shape its dimensions in PyTorch's order
 * @param offset where it starts in the vector
 */
public record ParameterBlock(String name, int[] shape, int offset) {

  /** Number of values in the block. */
  public int size() {
    int size = 1;
    for (int extent : shape) {
      size = Math.multiplyExact(size, extent);
    }
    return size;
  }
}

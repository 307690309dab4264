package dev.grapevine.engine.layer;

/**
 * One tensor of a layer.
 *
 * @param name PyTorch's name within the layer, such as {@code weight}
 * @param shape its dimensions in PyTorch's order
 * @param initialization how it starts
 */
public record Parameter(String name, int[] shape, Initialization initialization) {

  /** Number of values. */
  public int size() {
    int size = 1;
    for (int extent : shape) {
      size = Math.multiplyExact(size, extent);
    }
    return size;
  }
}

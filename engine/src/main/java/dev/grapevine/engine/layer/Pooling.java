package dev.grapevine.engine.layer;

/** The output of a sliding window; a rest at the edge is left out. */
final class Pooling {

  private Pooling() {}

  static Shape.Image output(Shape.Image input, int kernel, int stride, int padding) {
    if (kernel < 1 || stride < 1 || padding < 0 || 2 * padding > kernel) {
      throw new IllegalArgumentException(
          "pooling needs kernel and stride of 1 at least and a padding of half a kernel at most: "
              + "kernel=%d, stride=%d, padding=%d".formatted(kernel, stride, padding));
    }
    if (kernel > Math.min(input.height(), input.width()) + 2 * padding) {
      throw new IllegalArgumentException(
          "the pooling window is larger than the input: kernel=%d, input=%s"
              .formatted(kernel, input));
    }
    return new Shape.Image(
        input.channels(),
        (input.height() + 2 * padding - kernel) / stride + 1,
        (input.width() + 2 * padding - kernel) / stride + 1);
  }
}

package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;

/** y = max(x, 0); its gradient at zero is zero, as in PyTorch. */
public record Relu(Shape input) implements Layer {

  @Override
  public Shape output() {
    return input;
  }

  @Override
  public Pass pass(Binding binding) {
    return new Elementwise(binding) {
      @Override
      void forwardRow(Kernels kernels, float[] x, int xAt, float[] y, int yAt, int count) {
        kernels.relu(x, xAt, y, yAt, count);
      }

      @Override
      void backwardRow(
          Kernels kernels,
          float[] y,
          int yAt,
          float[] dy,
          int dyAt,
          float[] dx,
          int dxAt,
          int count) {
        kernels.reluGradient(y, yAt, dy, dyAt, dx, dxAt, count);
      }
    };
  }
}

package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;

/** y = tanh(x), dx = (1 − y²)·dy. */
public record Tanh(Shape input) implements Layer {

  @Override
  public Shape output() {
    return input;
  }

  @Override
  public Pass pass(Binding binding) {
    return new Elementwise(binding) {
      @Override
      void forwardRow(Kernels kernels, float[] x, int xAt, float[] y, int yAt, int count) {
        kernels.tanh(x, xAt, y, yAt, count);
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
        for (int i = 0; i < count; i++) {
          dx[dxAt + i] = (1 - y[yAt + i] * y[yAt + i]) * dy[dyAt + i];
        }
      }
    };
  }
}

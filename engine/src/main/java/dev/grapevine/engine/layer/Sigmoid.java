package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;

/** y = 1 / (1 + exp(−x)), dx = y·(1 − y)·dy. */
public record Sigmoid(Shape input) implements Layer {

  @Override
  public Shape output() {
    return input;
  }

  @Override
  public Pass pass(Binding binding) {
    return new Elementwise(binding) {
      @Override
      void forwardRow(Kernels kernels, float[] x, int xAt, float[] y, int yAt, int count) {
        kernels.sigmoid(x, xAt, y, yAt, count);
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
          dx[dxAt + i] = y[yAt + i] * (1 - y[yAt + i]) * dy[dyAt + i];
        }
      }
    };
  }
}

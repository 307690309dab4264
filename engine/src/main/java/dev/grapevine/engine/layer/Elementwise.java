package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;

/** Walks the rows of planes whose margins may differ, for layers that treat each value alone. */
abstract class Elementwise implements Pass {

  private final Binding binding;

  Elementwise(Binding binding) {
    this.binding = binding;
  }

  abstract void forwardRow(Kernels kernels, float[] x, int xAt, float[] y, int yAt, int count);

  /** From the output's values and gradient to the input's gradient. */
  abstract void backwardRow(
      Kernels kernels, float[] y, int yAt, float[] dy, int dyAt, float[] dx, int dxAt, int count);

  @Override
  public void forward(Step step, int from, int to) {
    Plane x = binding.input().value();
    Plane y = binding.output().value();
    for (int n = from; n < to; n++) {
      for (int row = 0; row < x.height(); row++) {
        forwardRow(
            binding.kernels(), x.data(), x.at(n, row, 0), y.data(), y.at(n, row, 0), x.rowLength());
      }
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    if (!binding.input().hasGradient()) {
      return;
    }
    Plane y = binding.output().value();
    Plane dy = binding.output().requireGradient();
    Plane dx = binding.input().requireGradient();
    for (int n = from; n < to; n++) {
      for (int row = 0; row < y.height(); row++) {
        backwardRow(
            binding.kernels(),
            y.data(),
            y.at(n, row, 0),
            dy.data(),
            dy.at(n, row, 0),
            dx.data(),
            dx.at(n, row, 0),
            y.rowLength());
      }
    }
  }
}

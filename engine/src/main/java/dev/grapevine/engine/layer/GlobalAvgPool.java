package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;

/** The mean of each channel over the whole image; the result is flat. */
public record GlobalAvgPool(Shape.Image input) implements Layer {

  @Override
  public Shape output() {
    return new Shape.Flat(input.channels());
  }

  @Override
  public Pass pass(Binding binding) {
    Kernels kernels = binding.kernels();
    float share = 1f / (input.height() * input.width());
    int channels = input.channels();
    return new Pass() {
      @Override
      public void forward(Step step, int from, int to) {
        Plane x = binding.input().value();
        Plane y = binding.output().value();
        for (int n = from; n < to; n++) {
          int target = y.at(n, 0, 0);
          java.util.Arrays.fill(y.data(), target, target + channels, 0f);
          for (int row = 0; row < x.height(); row++) {
            kernels
                .channels()
                .sums(x.data(), x.at(n, row, 0), x.width(), channels, y.data(), target);
          }
          for (int c = 0; c < channels; c++) {
            y.data()[target + c] *= share;
          }
        }
      }

      @Override
      public void backward(Step step, int from, int to) {
        if (!binding.input().hasGradient()) {
          return;
        }
        Plane dx = binding.input().requireGradient();
        Plane dy = binding.output().requireGradient();
        for (int n = from; n < to; n++) {
          int source = dy.at(n, 0, 0);
          for (int row = 0; row < dx.height(); row++) {
            for (int column = 0; column < dx.width(); column++) {
              int target = dx.at(n, row, column);
              for (int c = 0; c < channels; c++) {
                dx.data()[target + c] = share * dy.data()[source + c];
              }
            }
          }
        }
      }
    };
  }
}

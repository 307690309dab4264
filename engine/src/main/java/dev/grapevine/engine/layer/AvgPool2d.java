package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;

/** The mean of each window. */
public record AvgPool2d(Shape.Image input, int kernel, int stride) implements Layer {

  public AvgPool2d {
    Pooling.output(input, kernel, stride, 0);
  }

  @Override
  public Shape.Image output() {
    return Pooling.output(input, kernel, stride, 0);
  }

  @Override
  public Pass pass(Binding binding) {
    Kernels kernels = binding.kernels();
    float share = 1f / (kernel * kernel);
    int channels = input.channels();
    return new Pass() {
      @Override
      public void forward(Step step, int from, int to) {
        Plane x = binding.input().value();
        Plane y = binding.output().value();
        for (int n = from; n < to; n++) {
          for (int row = 0; row < y.height(); row++) {
            for (int column = 0; column < y.width(); column++) {
              int target = y.at(n, row, column);
              java.util.Arrays.fill(y.data(), target, target + channels, 0f);
              for (int i = 0; i < kernel * kernel; i++) {
                int tap = x.at(n, row * stride + i / kernel, column * stride + i % kernel);
                kernels.addScaled(share, x.data(), tap, y.data(), target, channels);
              }
            }
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
        dx.clear(from, to);
        for (int n = from; n < to; n++) {
          for (int row = 0; row < dy.height(); row++) {
            for (int column = 0; column < dy.width(); column++) {
              int source = dy.at(n, row, column);
              for (int i = 0; i < kernel * kernel; i++) {
                int tap = dx.at(n, row * stride + i / kernel, column * stride + i % kernel);
                kernels.addScaled(share, dy.data(), source, dx.data(), tap, channels);
              }
            }
          }
        }
      }
    };
  }
}

package dev.grapevine.engine.layer;

/**
 * The largest value of each window; the gradient goes to the first largest, as in PyTorch. Padding
 * never wins.
 */
public record MaxPool2d(Shape.Image input, int kernel, int stride, int padding) implements Layer {

  public MaxPool2d {
    Pooling.output(input, kernel, stride, padding);
  }

  @Override
  public Shape.Image output() {
    return Pooling.output(input, kernel, stride, padding);
  }

  @Override
  public Pass pass(Binding binding) {
    return new MaxPass(binding);
  }

  private final class MaxPass implements Pass {

    private final Binding binding;

    /** Per output value, where in the input plane its largest value lies. */
    private final int[] largest;

    MaxPass(Binding binding) {
      this.binding = binding;
      this.largest = new int[Math.multiplyExact(binding.capacity(), output().size())];
    }

    @Override
    public void forward(Step step, int from, int to) {
      Plane y = binding.output().value();
      int channels = y.channels();
      int at = from * output().size();
      for (int n = from; n < to; n++) {
        for (int row = 0; row < y.height(); row++) {
          for (int column = 0; column < y.width(); column++) {
            pool(n, row, column, at);
            at += channels;
          }
        }
      }
    }

    private void pool(int n, int row, int column, int at) {
      Plane x = binding.input().value();
      Plane y = binding.output().value();
      float[] values = x.data();
      int top = Math.max(0, row * stride - padding);
      int bottom = Math.min(x.height(), row * stride - padding + kernel);
      int left = Math.max(0, column * stride - padding);
      int right = Math.min(x.width(), column * stride - padding + kernel);
      int start = x.at(n, top, left);
      for (int c = 0; c < x.channels(); c++) {
        largest[at + c] = start + c;
      }
      for (int i = top; i < bottom; i++) {
        for (int j = left; j < right; j++) {
          int tap = x.at(n, i, j);
          for (int c = 0; c < x.channels(); c++) {
            if (values[tap + c] > values[largest[at + c]]) {
              largest[at + c] = tap + c;
            }
          }
        }
      }
      int to = y.at(n, row, column);
      for (int c = 0; c < x.channels(); c++) {
        y.data()[to + c] = values[largest[at + c]];
      }
    }

    @Override
    public void backward(Step step, int from, int to) {
      if (!binding.input().hasGradient()) {
        return;
      }
      Plane x = binding.input().value();
      Plane dx = binding.input().requireGradient();
      Plane dy = binding.output().requireGradient();
      dx.clear(from, to);
      int at = from * output().size();
      for (int n = from; n < to; n++) {
        int start = x.at(n, 0, 0);
        int target = dx.at(n, 0, 0);
        for (int row = 0; row < dy.height(); row++) {
          for (int column = 0; column < dy.width(); column++) {
            int source = dy.at(n, row, column);
            for (int c = 0; c < dy.channels(); c++) {
              int place = largest[at + c] - start;
              int inRow = place % x.rowStride();
              dx.data()[target + place / x.rowStride() * dx.rowStride() + inRow] +=
                  dy.data()[source + c];
            }
            at += dy.channels();
          }
        }
      }
    }
  }
}

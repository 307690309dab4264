package dev.grapevine.engine.layer;

/** One list of values per sample, in PyTorch's order (channel, row, column). */
public record Flatten(Shape input) implements Layer {

  @Override
  public Shape output() {
    return new Shape.Flat(input.size());
  }

  @Override
  public Pass pass(Binding binding) {
    boolean image = input instanceof Shape.Image;
    return new Pass() {
      @Override
      public void forward(Step step, int from, int to) {
        Plane x = binding.input().value();
        float[] y = binding.output().value().data();
        for (int n = from; n < to; n++) {
          for (int row = 0; row < x.height(); row++) {
            for (int column = 0; column < x.width(); column++) {
              int source = x.at(n, row, column);
              int target = n * input.size() + place(row, column);
              int stride = stride();
              for (int c = 0; c < x.channels(); c++) {
                y[target + c * stride] = x.data()[source + c];
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
        float[] dy = binding.output().requireGradient().data();
        for (int n = from; n < to; n++) {
          for (int row = 0; row < dx.height(); row++) {
            for (int column = 0; column < dx.width(); column++) {
              int target = dx.at(n, row, column);
              int source = n * input.size() + place(row, column);
              int stride = stride();
              for (int c = 0; c < dx.channels(); c++) {
                dx.data()[target + c] = dy[source + c * stride];
              }
            }
          }
        }
      }

      private int stride() {
        return image ? input.height() * input.width() : 1;
      }

      private int place(int row, int column) {
        int pixel = row * input.width() + column;
        return image ? pixel : pixel * input.channels();
      }
    };
  }
}

package dev.grapevine.engine.layer;

import java.util.Arrays;

/** {@link Embedding} at work. */
final class EmbeddingPass implements Pass {

  private final Embedding layer;
  private final Binding binding;
  private final int length;
  private final int dimensions;

  EmbeddingPass(Embedding layer, Binding binding) {
    this.layer = layer;
    this.binding = binding;
    this.length = layer.input().size();
    this.dimensions = layer.dimensions();
  }

  /** The gradient is zero but for the rows of the batch's tokens. */
  @Override
  public void prepare(Step step) {
    if (step.training()) {
      int weights = binding.parameterOffsets()[0];
      Arrays.fill(step.gradient(), weights, weights + layer.tokens() * dimensions, 0f);
    }
  }

  @Override
  public void forward(Step step, int from, int to) {
    float[] y = binding.output().value().data();
    int weights = binding.parameterOffsets()[0];
    for (int i = from * length; i < to * length; i++) {
      int row = weights + token(i) * dimensions;
      System.arraycopy(step.parameters(), row, y, i * dimensions, dimensions);
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    float[] dy = binding.output().requireGradient().data();
    int weights = binding.parameterOffsets()[0];
    int untrained = layer.padding() == null ? -1 : layer.padding();
    for (int i = from * length; i < to * length; i++) {
      int token = token(i);
      if (token != untrained) {
        binding
            .kernels()
            .add(dy, i * dimensions, step.gradient(), weights + token * dimensions, dimensions);
      }
    }
  }

  private int token(int position) {
    float value = binding.input().value().data()[position];
    return Ids.check(value, layer.tokens(), binding.name(), "token", position / length);
  }
}

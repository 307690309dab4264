package dev.grapevine.engine.layer;

import java.util.Arrays;

/** {@link DotProduct} at work. */
final class DotProductPass implements Pass {

  /** In models it has no name, so that its tensors keep theirs. */
  private static final String NAME = "dot product";

  private final DotProduct layer;
  private final Binding binding;
  private final int dimensions;

  DotProductPass(DotProduct layer, Binding binding) {
    this.layer = layer;
    this.binding = binding;
    this.dimensions = layer.dimensions();
  }

  /** The gradient is zero but for the rows of the batch's users and items. */
  @Override
  public void prepare(Step step) {
    if (step.training()) {
      int users = binding.parameterOffsets()[0];
      int items = binding.parameterOffsets()[1];
      Arrays.fill(step.gradient(), users, users + layer.users() * dimensions, 0f);
      Arrays.fill(step.gradient(), items, items + layer.items() * dimensions, 0f);
    }
  }

  @Override
  public void forward(Step step, int from, int to) {
    float[] y = binding.output().value().data();
    float[] parameters = step.parameters();
    for (int n = from; n < to; n++) {
      int user = userRow(n);
      int item = itemRow(n);
      float sum = 0;
      for (int i = 0; i < dimensions; i++) {
        sum += parameters[user + i] * parameters[item + i];
      }
      y[n] = sum;
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    float[] dy = binding.output().requireGradient().data();
    float[] parameters = step.parameters();
    float[] gradient = step.gradient();
    for (int n = from; n < to; n++) {
      int user = userRow(n);
      int item = itemRow(n);
      binding.kernels().addScaled(dy[n], parameters, item, gradient, user, dimensions);
      binding.kernels().addScaled(dy[n], parameters, user, gradient, item, dimensions);
    }
  }

  private int userRow(int sample) {
    float id = binding.input().value().data()[2 * sample];
    int user = Ids.check(id, layer.users(), NAME, "user", sample);
    return binding.parameterOffsets()[0] + user * dimensions;
  }

  private int itemRow(int sample) {
    float id = binding.input().value().data()[2 * sample + 1];
    int item = Ids.check(id, layer.items(), NAME, "item", sample);
    return binding.parameterOffsets()[1] + item * dimensions;
  }
}

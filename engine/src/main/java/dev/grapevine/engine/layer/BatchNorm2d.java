package dev.grapevine.engine.layer;

import java.util.List;

/**
 * Batch normalisation: as {@link GroupNorm}, but mean and variance of a channel run over the pixels
 * of the whole batch when training. Evaluation uses running statistics, which a training step moves
 * by a tenth towards the batch's (its unbiased variance).
 *
 * <p>Ioffe and Szegedy, Batch Normalization, ICML 2015. Whether the running statistics are part of
 * the shared parameter vector is the model's choice.
 *
 * @param after what is done to the result in the same pass
 */
public record BatchNorm2d(Shape.Image input, After after) implements Layer {

  @Override
  public Shape.Image output() {
    return after.output(input);
  }

  @Override
  public List<Parameter> parameters() {
    return GroupNorm.scaleAndShift(input.channels());
  }

  @Override
  public List<Parameter> statistics() {
    int[] shape = {input.channels()};
    return List.of(
        new Parameter("running_mean", shape, Initialization.constant(0)),
        new Parameter("running_var", shape, Initialization.constant(1)));
  }

  @Override
  public boolean needsWholeBatch() {
    return true;
  }

  @Override
  public Pass pass(Binding binding) {
    return new BatchNormPass(this, binding);
  }
}

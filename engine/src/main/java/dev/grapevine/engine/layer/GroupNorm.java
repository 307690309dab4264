package dev.grapevine.engine.layer;

import java.util.List;

/**
 * Group normalisation: y = γ·(x − μ)/√(σ² + 1e-5) + β, where mean and (biased) variance run over
 * the pixels of a group of channels of one sample.
 *
 * <p>Wu and He, Group Normalization, ECCV 2018.
 *
 * @param after what is done to the result in the same pass
 */
public record GroupNorm(Shape.Image input, int groups, After after) implements Layer {

  static final double EPSILON = 1e-5;

  public GroupNorm {
    if (groups < 1 || input.channels() % groups != 0) {
      throw new IllegalArgumentException(
          "groups must divide the channels: groups=%d, channels=%d"
              .formatted(groups, input.channels()));
    }
  }

  @Override
  public Shape.Image output() {
    return after.output(input);
  }

  @Override
  public List<Parameter> parameters() {
    return scaleAndShift(input.channels());
  }

  static List<Parameter> scaleAndShift(int channels) {
    return List.of(
        new Parameter("weight", new int[] {channels}, Initialization.constant(1)),
        new Parameter("bias", new int[] {channels}, Initialization.constant(0)));
  }

  @Override
  public Pass pass(Binding binding) {
    return new GroupNormPass(this, binding);
  }
}

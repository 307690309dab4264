package dev.grapevine.engine.layer;

import java.util.List;

/**
 * y = W·x + b with W as [outputs][inputs]. A sequence is treated step by step.
 *
 * <p>Weights are large and batches small, so W is never repacked for the forward product: the batch
 * takes the place of the packed panel.
 */
public record Linear(Shape input, int outputs) implements Layer {

  public Linear {
    if (input instanceof Shape.Image) {
      throw new IllegalArgumentException(
          "a linear layer wants a flat input, flatten first: input=" + input);
    }
  }

  int inputs() {
    return input.channels();
  }

  @Override
  public Shape output() {
    return switch (input) {
      case Shape.Sequence sequence -> new Shape.Sequence(sequence.length(), outputs);
      case Shape.Flat _, Shape.Image _ -> new Shape.Flat(outputs);
    };
  }

  @Override
  public List<Parameter> parameters() {
    Initialization start = Initialization.fanIn(inputs());
    return List.of(
        new Parameter("weight", new int[] {outputs, inputs()}, start),
        new Parameter("bias", new int[] {outputs}, start));
  }

  @Override
  public boolean needsWholeBatch() {
    return true;
  }

  @Override
  public long multiplyAdds() {
    return (long) output().size() * inputs();
  }

  @Override
  public Pass pass(Binding binding) {
    return new LinearPass(this, binding);
  }
}

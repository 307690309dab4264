package dev.grapevine.engine.layer;

/**
 * In training, each value becomes zero with probability p, else it grows by 1/(1−p); in evaluation
 * nothing happens. Srivastava et al., "Dropout", JMLR 2014.
 *
 * @param probability p
 */
public record Dropout(Shape input, double probability) implements Layer {

  public Dropout {
    if (!(probability >= 0 && probability < 1)) {
      throw new IllegalArgumentException(
          "probability out of range: probability=%s, must lie in [0, 1)".formatted(probability));
    }
  }

  @Override
  public Shape output() {
    return input;
  }

  @Override
  public Pass pass(Binding binding) {
    return new DropoutPass(this, binding);
  }
}

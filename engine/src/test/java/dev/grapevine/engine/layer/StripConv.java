package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.MinimalFiltering;
import java.util.List;

/** A convolution that is filtered down its columns, whatever the rule says. */
record StripConv(Conv2d conv, MinimalFiltering filtering) implements Layer {

  @Override
  public Shape input() {
    return conv.input();
  }

  @Override
  public Shape output() {
    return conv.output();
  }

  @Override
  public List<Parameter> parameters() {
    return conv.parameters();
  }

  @Override
  public int inputMargin() {
    return FilteringRule.inputMargin(conv, filtering);
  }

  @Override
  public int gradientMargin() {
    return FilteringRule.gradientMargin(conv, filtering);
  }

  @Override
  public Pass pass(Binding binding) {
    return new StripConvPass(conv, filtering, binding);
  }
}

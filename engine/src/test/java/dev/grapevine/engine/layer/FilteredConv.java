package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.MinimalFiltering;
import java.util.List;

/** A convolution that goes through tiles of the test's choice, whatever the rule says. */
record FilteredConv(Conv2d conv, MinimalFiltering filtering, boolean wide) implements Layer {

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
  public boolean needsWholeBatch() {
    return wide;
  }

  @Override
  public Pass pass(Binding binding) {
    return wide
        ? new WideConvPass(conv, filtering, binding)
        : new FilteredConvPass(conv, filtering, binding);
  }
}

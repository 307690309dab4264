package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.MinimalFiltering;
import org.jspecify.annotations.Nullable;

/**
 * A convolution whose batch decides between minimal filtering and the direct sum. The batch of the
 * step counts, not the workspace's capacity: a step's result depends on its arguments alone.
 */
final class ChosenConvPass implements Pass {

  private final Conv2d conv;
  private final Binding binding;
  private final int leastSamples;
  private final Pass filtered;

  /** Made when first a batch is so small, which for most workspaces is never. */
  private @Nullable ConvPass direct;

  private Pass current;

  private ChosenConvPass(
      Conv2d conv, MinimalFiltering filtering, Binding binding, int leastSamples) {
    this.conv = conv;
    this.binding = binding;
    this.leastSamples = leastSamples;
    this.filtered = FilteringRule.pass(conv, filtering, binding);
    this.current = filtered;
  }

  static Pass of(Conv2d conv, Binding binding) {
    MinimalFiltering filtering = conv.filtering().orElse(null);
    if (filtering != null) {
      int leastSamples = FilteringRule.leastSamples(conv, filtering, binding.kernels());
      if (leastSamples <= binding.capacity()) {
        return new ChosenConvPass(conv, filtering, binding, leastSamples);
      }
    }
    MinimalFiltering strips = FilteringRule.strips(conv).orElse(null);
    if (strips != null
        && !binding.input().hasGradient()
        && conv.outputs() % binding.kernels().panel() == 0) {
      return new StripConvPass(conv, strips, binding);
    }
    return new ConvPass(conv, binding);
  }

  @Override
  public void prepare(Step step) {
    current = step.samples() >= leastSamples ? filtered : direct();
    current.prepare(step);
  }

  private ConvPass direct() {
    if (direct == null) {
      direct = new ConvPass(conv, binding);
    }
    return direct;
  }

  @Override
  public void forward(Step step, int from, int to) {
    current.forward(step, from, to);
  }

  @Override
  public void backward(Step step, int from, int to) {
    current.backward(step, from, to);
  }

  @Override
  public void finish(Step step) {
    current.finish(step);
  }
}

package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.ChannelTerms;
import java.util.Arrays;

/** ReLU and 2×2 max pooling in one (in either order: both give the same). */
public record ReluPool(Shape.Image input) implements Layer {

  @Override
  public Shape.Image output() {
    return After.RELU_POOL.output(input);
  }

  @Override
  public Pass pass(Binding binding) {
    AffineStage stage = new AffineStage(binding, After.RELU_POOL);
    ChannelTerms terms = new ChannelTerms(input.channels());
    return new Pass() {
      @Override
      public void forward(Step step, int from, int to) {
        for (int n = from; n < to; n++) {
          identity();
          stage.forward(n, terms);
        }
      }

      @Override
      public void backward(Step step, int from, int to) {
        for (int n = from; binding.input().hasGradient() && n < to; n++) {
          identity();
          stage.backward(n, terms);
        }
      }

      private void identity() {
        Arrays.fill(terms.scale(), 1f);
        Arrays.fill(terms.shift(), 0f);
      }
    };
  }
}

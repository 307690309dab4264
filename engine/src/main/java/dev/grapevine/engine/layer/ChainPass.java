package dev.grapevine.engine.layer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A {@link Chain} at work: owns the activations between its layers. */
final class ChainPass implements Pass {

  private final List<Pass> passes = new ArrayList<>();

  ChainPass(Chain chain, Binding binding) {
    List<Chain.Named> links = chain.links();
    Activation current = binding.input();
    int parameter = 0;
    int statistic = 0;
    for (int i = 0; i < links.size(); i++) {
      Layer layer = links.get(i).layer();
      Activation next =
          i + 1 == links.size()
              ? binding.output()
              : between(layer, links.get(i + 1).layer(), binding.capacity());
      int parameters = layer.parameters().size();
      int statistics = layer.statistics().size();
      passes.add(
          layer.pass(
              new Binding(
                  binding.name().isEmpty()
                      ? links.get(i).name()
                      : binding.name() + "." + links.get(i).name(),
                  binding.capacity(),
                  current,
                  next,
                  Arrays.copyOfRange(binding.parameterOffsets(), parameter, parameter + parameters),
                  Arrays.copyOfRange(
                      binding.statisticsOffsets(), statistic, statistic + statistics),
                  binding.kernels())));
      parameter += parameters;
      statistic += statistics;
      current = next;
    }
  }

  private static Activation between(Layer before, Layer after, int capacity) {
    return new Activation(
        new Plane(before.output(), after.inputMargin(), capacity),
        new Plane(before.output(), before.gradientMargin(), capacity));
  }

  @Override
  public void prepare(Step step) {
    for (Pass pass : passes) {
      pass.prepare(step);
    }
  }

  @Override
  public void forward(Step step, int from, int to) {
    for (Pass pass : passes) {
      pass.forward(step, from, to);
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    for (Pass pass : passes.reversed()) {
      pass.backward(step, from, to);
    }
  }

  @Override
  public void finish(Step step) {
    for (Pass pass : passes) {
      pass.finish(step);
    }
  }
}

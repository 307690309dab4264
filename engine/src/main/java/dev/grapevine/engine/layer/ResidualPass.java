package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** {@link Residual} at work. */
final class ResidualPass implements Pass {

  private final Binding binding;
  private final Kernels kernels;
  private final Pass main;
  private final Activation mainOutput;
  private final @Nullable Pass projection;

  /** What the shortcut gives; the block's own input if it is the identity. */
  private final Activation shortcut;

  /** The projection's share of the input gradient. */
  private final @Nullable Plane projectionInput;

  ResidualPass(Residual layer, Binding binding) {
    this.binding = binding;
    this.kernels = binding.kernels();
    int capacity = binding.capacity();
    this.mainOutput =
        new Activation(
            new Plane(layer.output(), 0, capacity),
            new Plane(layer.output(), layer.main().gradientMargin(), capacity));
    this.main = layer.main().pass(part(layer.main(), binding.input(), mainOutput, 0, 0));
    if (layer.projection().isEmpty()) {
      this.projection = null;
      this.shortcut = binding.input();
      this.projectionInput = null;
    } else {
      Chain chain = layer.projection().orElseThrow();
      this.shortcut =
          new Activation(
              new Plane(layer.output(), 0, capacity),
              new Plane(layer.output(), chain.gradientMargin(), capacity));
      this.projectionInput =
          binding.input().hasGradient() ? new Plane(layer.input(), 0, capacity) : null;
      Activation input = new Activation(binding.input().value(), projectionInput);
      this.projection =
          chain.pass(
              part(
                  chain,
                  input,
                  shortcut,
                  layer.main().parameters().size(),
                  layer.main().statistics().size()));
    }
  }

  private Binding part(
      Chain chain, Activation input, Activation output, int parameter, int statistic) {
    return new Binding(
        binding.name(),
        binding.capacity(),
        input,
        output,
        Arrays.copyOfRange(
            binding.parameterOffsets(), parameter, parameter + chain.parameters().size()),
        Arrays.copyOfRange(
            binding.statisticsOffsets(), statistic, statistic + chain.statistics().size()),
        kernels,
        binding.scratch());
  }

  @Override
  public void prepare(Step step) {
    main.prepare(step);
    if (projection != null) {
      projection.prepare(step);
    }
  }

  @Override
  public void forward(Step step, int from, int to) {
    main.forward(step, from, to);
    if (projection != null) {
      projection.forward(step, from, to);
    }
    Plane a = mainOutput.value();
    Plane b = shortcut.value();
    Plane y = binding.output().value();
    for (int n = from; n < to; n++) {
      for (int row = 0; row < y.height(); row++) {
        int at = y.at(n, row, 0);
        kernels.addRelu(
            a.data(), a.at(n, row, 0), b.data(), b.at(n, row, 0), y.data(), at, y.rowLength());
      }
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    throughRelu(mainOutput.requireGradient(), from, to);
    main.backward(step, from, to);
    if (projection == null) {
      if (binding.input().hasGradient()) {
        addTo(binding.input().requireGradient(), mainOutput.requireGradient(), from, to);
      }
      return;
    }
    throughRelu(shortcut.requireGradient(), from, to);
    projection.backward(step, from, to);
    if (projectionInput != null) {
      addTo(binding.input().requireGradient(), projectionInput, from, to);
    }
  }

  private void throughRelu(Plane target, int from, int to) {
    Plane y = binding.output().value();
    Plane dy = binding.output().requireGradient();
    for (int n = from; n < to; n++) {
      for (int row = 0; row < y.height(); row++) {
        kernels.reluGradient(
            y.data(),
            y.at(n, row, 0),
            dy.data(),
            dy.at(n, row, 0),
            target.data(),
            target.at(n, row, 0),
            y.rowLength());
      }
    }
  }

  private void addTo(Plane target, Plane source, int from, int to) {
    for (int n = from; n < to; n++) {
      for (int row = 0; row < source.height(); row++) {
        kernels.add(
            source.data(),
            source.at(n, row, 0),
            target.data(),
            target.at(n, row, 0),
            source.rowLength());
      }
    }
  }

  @Override
  public void finish(Step step) {
    main.finish(step);
    if (projection != null) {
      projection.finish(step);
    }
  }
}

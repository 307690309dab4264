package dev.grapevine.engine;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.layer.Activation;
import dev.grapevine.engine.layer.Binding;
import dev.grapevine.engine.layer.Pass;
import dev.grapevine.engine.layer.Plane;
import dev.grapevine.engine.layer.Scratch;
import dev.grapevine.engine.layer.Step;
import java.util.Arrays;

/**
 * Memory for computing with one model in one thread, sized once: a step allocates nothing. Holds no
 * state from step to step, so the result of a step depends on its arguments (and {@link #seed})
 * only, down to the last bit.
 */
public final class Workspace {

  private final Model model;
  private final int capacity;
  private final Activation input;
  private final Activation output;
  private final Pass pass;
  private final Step step = new Step();

  Workspace(Model model, int capacity, Kernels kernels) {
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "a workspace needs room for one sample at least: capacity=" + capacity);
    }
    this.model = model;
    this.capacity = capacity;
    var chain = model.chain();
    this.input = new Activation(new Plane(chain.input(), chain.inputMargin(), capacity), null);
    this.output =
        new Activation(
            new Plane(chain.output(), 0, capacity),
            new Plane(chain.output(), chain.gradientMargin(), capacity));
    this.pass =
        chain.pass(
            new Binding(
                "",
                capacity,
                input,
                output,
                offsets(false),
                offsets(true),
                kernels,
                new Scratch()));
  }

  private int[] offsets(boolean statistics) {
    var blocks =
        statistics
            ? model.statistics()
            : model.parameters().subList(0, model.chain().parameters().size());
    return blocks.stream().mapToInt(ParameterBlock::offset).toArray();
  }

  /** Where the randomness of the following steps (dropout) comes from. */
  public void seed(long seed) {
    step.seed(seed);
  }

  /**
   * Forward, loss and backward.
   *
   * @param statistics running statistics, brought up to date; empty where the model has none
   * @param gradient overwritten by the gradient of the mean loss; zero for shared statistics
   * @return the mean loss
   */
  public double gradient(float[] parameters, float[] statistics, Batch batch, float[] gradient) {
    check(parameters, statistics, batch, true);
    model.requireLength("gradient", gradient, model.parameterCount());
    step.train(parameters, home(parameters, statistics), gradient, batch.size());
    Arrays.fill(gradient, model.trainableCount(), gradient.length, 0f);
    run(batch);
    Plane outputs = output.value();
    double loss =
        model
            .loss()
            .sum(
                outputs.data(),
                batch.targets(),
                batch.size(),
                model.outputSize(),
                output.requireGradient().data());
    if (!Double.isFinite(loss)) {
      step.clear();
      throw new DivergedException(
          "model %s: the loss is not a number: loss=%s, lower the learning rate or clip gradients"
              .formatted(model.name(), loss));
    }
    pass.backward(step, 0, batch.size());
    pass.finish(step);
    step.clear();
    return loss / batch.size();
  }

  /** The outputs in evaluation mode: no dropout, running statistics. */
  public void forward(float[] parameters, float[] statistics, Batch batch, float[] outputs) {
    check(parameters, statistics, batch, false);
    int length = batch.size() * model.outputSize();
    if (outputs.length < length) {
      throw new IllegalArgumentException(
          "model %s: outputs too short: expected=%d, given=%d"
              .formatted(model.name(), length, outputs.length));
    }
    step.evaluate(parameters, home(parameters, statistics), batch.size());
    run(batch);
    System.arraycopy(output.value().data(), 0, outputs, 0, length);
    step.clear();
  }

  /** Loss and correct answers in evaluation mode. */
  public Score evaluate(float[] parameters, float[] statistics, Batch batch) {
    check(parameters, statistics, batch, true);
    step.evaluate(parameters, home(parameters, statistics), batch.size());
    run(batch);
    step.clear();
    float[] outputs = output.value().data();
    int width = model.outputSize();
    return new Score(
        model.loss().sum(outputs, batch.targets(), batch.size(), width, null),
        model.loss().correct(outputs, batch.targets(), batch.size(), width),
        batch.size());
  }

  private float[] home(float[] parameters, float[] statistics) {
    return model.sharedStatistics() ? parameters : statistics;
  }

  private void run(Batch batch) {
    load(batch);
    pass.prepare(step);
    pass.forward(step, 0, batch.size());
  }

  /** From channel, row, column to the engine's row, column, channel. */
  private void load(Batch batch) {
    Plane plane = input.value();
    float[] source = batch.inputs();
    float[] target = plane.data();
    int channels = plane.channels();
    int width = plane.width();
    int size = channels * plane.height() * width;
    for (int n = 0; n < batch.size(); n++) {
      if (plane.height() == 1 && width == 1) {
        System.arraycopy(source, n * size, target, n * size, size);
        continue;
      }
      for (int c = 0; c < channels; c++) {
        for (int row = 0; row < plane.height(); row++) {
          int from = n * size + (c * plane.height() + row) * width;
          int to = plane.at(n, row, 0) + c;
          for (int x = 0; x < width; x++) {
            target[to + x * channels] = source[from + x];
          }
        }
      }
    }
  }

  private void check(float[] parameters, float[] statistics, Batch batch, boolean withTargets) {
    model.requireLength("parameters", parameters, model.parameterCount());
    model.requireLength("statistics", statistics, model.statisticsCount());
    if (batch.size() < 1) {
      throw new IllegalArgumentException(
          "model %s: the batch is empty, give at least one sample".formatted(model.name()));
    }
    if (batch.size() > capacity) {
      throw new IllegalArgumentException(
          "model %s: the batch is larger than the workspace: size=%d, capacity=%d"
              .formatted(model.name(), batch.size(), capacity));
    }
    requireRoom("inputs", batch.inputs(), batch.capacity(), model.inputSize());
    if (withTargets) {
      requireRoom("targets", batch.targets(), batch.capacity(), model.targetSize());
    }
  }

  private void requireRoom(String what, float[] values, int samples, int perSample) {
    if (values.length != (long) samples * perSample) {
      throw new IllegalArgumentException(
          "model %s: wrong number of %s per sample: expected=%d (%s), given=%d"
              .formatted(
                  model.name(),
                  what,
                  perSample,
                  model.chain().input(),
                  samples == 0 ? 0 : values.length / samples));
    }
  }
}

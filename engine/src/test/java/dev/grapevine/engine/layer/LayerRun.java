package dev.grapevine.engine.layer;

import dev.grapevine.engine.Formula;
import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.engine.kernel.Kernels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One layer in a workspace of its own, without a model around it. Everything that the layer has to
 * write is not a number before, and all values go in and come out in PyTorch's order.
 */
final class LayerRun {

  private final Layer layer;
  private final int capacity;
  private final Activation input;
  private final Activation output;
  private final Pass pass;
  private final Step step = new Step();
  private final List<ParameterBlock> parameterBlocks = new ArrayList<>();
  private final List<ParameterBlock> statisticsBlocks = new ArrayList<>();
  final float[] parameters;
  final float[] statistics;
  final float[] gradient;

  /**
   * @param extraMargin wider margins than the layer asks for, as a neighbour may want them
   * @param learnsInput does the input have a gradient?
   */
  LayerRun(Layer layer, int capacity, int extraMargin, boolean learnsInput, Kernels kernels) {
    this.layer = layer;
    this.capacity = capacity;
    this.input = activation(layer.input(), layer.inputMargin(), 0, extraMargin, learnsInput);
    this.output = activation(layer.output(), 0, layer.gradientMargin(), extraMargin, true);
    this.parameters = place(layer.parameters(), parameterBlocks, 1);
    this.statistics = place(layer.statistics(), statisticsBlocks, 501);
    this.gradient = new float[parameters.length];
    this.pass =
        layer.pass(
            new Binding(
                "tested",
                capacity,
                input,
                output,
                parameterBlocks.stream().mapToInt(ParameterBlock::offset).toArray(),
                statisticsBlocks.stream().mapToInt(ParameterBlock::offset).toArray(),
                kernels,
                new Scratch()));
  }

  private Activation activation(
      Shape shape, int valueMargin, int gradientMargin, int extra, boolean withGradient) {
    int more = shape instanceof Shape.Image ? extra : 0;
    Plane gradient = withGradient ? new Plane(shape, gradientMargin + more, capacity) : null;
    return new Activation(new Plane(shape, valueMargin + more, capacity), gradient);
  }

  private static float[] place(List<Parameter> tensors, List<ParameterBlock> blocks, int seed) {
    int offset = 0;
    for (Parameter tensor : tensors) {
      blocks.add(new ParameterBlock(tensor.name(), tensor.shape(), offset));
      offset += tensor.size();
    }
    float[] values = new float[offset];
    for (int i = 0; i < blocks.size(); i++) {
      Formula.parameter(seed + i, blocks.get(i), values);
    }
    return values;
  }

  /** Evaluation mode. */
  float[] evaluate(float[] inputs, int samples) {
    step.evaluate(parameters, statistics, samples);
    return forward(inputs, samples, samples);
  }

  /** Training mode, over tiles of so many samples. */
  float[] train(float[] inputs, int samples, int tile) {
    Arrays.fill(gradient, Float.NaN);
    step.seed(5);
    step.train(parameters, statistics, gradient, samples);
    return forward(inputs, samples, tile);
  }

  private float[] forward(float[] inputs, int samples, int tile) {
    write(input.value(), layer.input(), inputs, samples);
    write(output.value(), layer.output(), unset(layer.output()), capacity);
    pass.prepare(step);
    for (int from = 0; from < samples; from += tile) {
      pass.forward(step, from, Math.min(samples, from + tile));
    }
    return read(output.value(), layer.output(), samples);
  }

  /** After {@link #train}; the input's gradient, or nothing if it has none. */
  float[] backward(float[] outputGradient, int samples, int tile) {
    write(output.requireGradient(), layer.output(), outputGradient, samples);
    if (input.hasGradient()) {
      write(input.requireGradient(), layer.input(), unset(layer.input()), capacity);
    }
    for (int from = 0; from < samples; from += tile) {
      pass.backward(step, from, Math.min(samples, from + tile));
    }
    pass.finish(step);
    return input.hasGradient()
        ? read(input.requireGradient(), layer.input(), samples)
        : new float[0];
  }

  List<ParameterBlock> parameterBlocks() {
    return parameterBlocks;
  }

  List<ParameterBlock> statisticsBlocks() {
    return statisticsBlocks;
  }

  private float[] unset(Shape shape) {
    float[] values = new float[shape.size() * capacity];
    Arrays.fill(values, Float.NaN);
    return values;
  }

  /** Where PyTorch's i-th value of a sample lies on the plane. */
  private static int place(Plane plane, Shape shape, int sample, int i) {
    if (shape instanceof Shape.Image) {
      int column = i % plane.width();
      int row = i / plane.width() % plane.height();
      int channel = i / (plane.width() * plane.height());
      return plane.at(sample, row, column) + channel;
    }
    return sample * shape.size() + i;
  }

  private static void write(Plane plane, Shape shape, float[] values, int samples) {
    int size = shape.size();
    for (int i = 0; i < samples * size; i++) {
      plane.data()[place(plane, shape, i / size, i % size)] = values[i];
    }
  }

  private static float[] read(Plane plane, Shape shape, int samples) {
    int size = shape.size();
    float[] values = new float[samples * size];
    for (int i = 0; i < values.length; i++) {
      values[i] = plane.data()[place(plane, shape, i / size, i % size)];
    }
    return values;
  }
}

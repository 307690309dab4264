package dev.grapevine.engine;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.layer.Chain;
import dev.grapevine.engine.layer.Parameter;
import dev.grapevine.engine.layer.Shape;
import dev.grapevine.engine.loss.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A model as described: layers and a loss, no values. Its parameters are one flat {@code float[]}
 * that the caller owns, in PyTorch's order; computing happens in a {@link Workspace}.
 *
 * <p>Running statistics of batch normalisation are either a vector of their own that stays with a
 * node, or, where the model was built with shared statistics, the tail of the parameter vector.
 */
public final class Model {

  private final String name;
  private final Chain chain;
  private final Loss loss;
  private final boolean sharedStatistics;
  private final List<ParameterBlock> parameters;
  private final List<ParameterBlock> statistics;
  private final int trainableCount;
  private final int statisticsCount;

  Model(String name, Chain chain, Loss loss, boolean sharedStatistics) {
    this.name = name;
    this.chain = chain;
    this.loss = loss;
    this.sharedStatistics = sharedStatistics;
    List<ParameterBlock> blocks = new ArrayList<>();
    this.trainableCount = place(chain.parameters(), 0, blocks);
    List<ParameterBlock> local = new ArrayList<>();
    int tail = place(chain.statistics(), sharedStatistics ? trainableCount : 0, local);
    if (sharedStatistics) {
      blocks.addAll(local);
    }
    this.statisticsCount = sharedStatistics ? tail - trainableCount : tail;
    this.parameters = List.copyOf(blocks);
    this.statistics = List.copyOf(local);
  }

  /** Starts the description of a model for images. */
  public static ModelBuilder image(String name, int channels, int height, int width) {
    return new ModelBuilder(name, new Shape.Image(channels, height, width));
  }

  /** Starts the description of a model whose samples are lists of values or ids. */
  public static ModelBuilder flat(String name, int size) {
    return new ModelBuilder(name, new Shape.Flat(size));
  }

  private static int place(List<Parameter> tensors, int start, List<ParameterBlock> blocks) {
    int offset = start;
    for (Parameter tensor : tensors) {
      blocks.add(new ParameterBlock(tensor.name(), tensor.shape(), offset));
      offset = Math.addExact(offset, tensor.size());
    }
    return offset;
  }

  public String name() {
    return name;
  }

  /** The dimensions of one sample, such as {3, 32, 32}. */
  public int[] inputShape() {
    return chain.input().dimensions();
  }

  /** Values per sample. */
  public int inputSize() {
    return chain.input().size();
  }

  /** Outputs (logits or values) per sample. */
  public int outputSize() {
    return chain.output().size();
  }

  /** Targets per sample. */
  public int targetSize() {
    return loss.targets(outputSize());
  }

  /** Length of the parameter vector. */
  public int parameterCount() {
    return sharedStatistics ? trainableCount + statisticsCount : trainableCount;
  }

  /** Length of the prefix of the parameter vector that has gradients. */
  public int trainableCount() {
    return trainableCount;
  }

  /**
   * Length of the separate vector of running statistics; 0 if there are none or they are shared.
   */
  public int statisticsCount() {
    return sharedStatistics ? 0 : statisticsCount;
  }

  /** The tensors in the parameter vector, with PyTorch's names. */
  public List<ParameterBlock> parameters() {
    return parameters;
  }

  /** The running statistics: in their own vector, or in the parameter vector if shared. */
  public List<ParameterBlock> statistics() {
    return statistics;
  }

  public Loss loss() {
    return loss;
  }

  /** Fills both vectors with PyTorch's default initialisation. */
  public void initialize(float[] parameters, float[] statistics, RandomGenerator random) {
    requireLength("parameters", parameters, parameterCount());
    requireLength("statistics", statistics, statisticsCount());
    List<Parameter> tensors = chain.parameters();
    for (int i = 0; i < tensors.size(); i++) {
      Parameter tensor = tensors.get(i);
      int offset = this.parameters.get(i).offset();
      tensor.initialization().fill(parameters, offset, tensor.size(), random);
    }
    List<Parameter> running = chain.statistics();
    float[] home = sharedStatistics ? parameters : statistics;
    for (int i = 0; i < running.size(); i++) {
      Parameter tensor = running.get(i);
      tensor.initialization().fill(home, this.statistics.get(i).offset(), tensor.size(), random);
    }
  }

  /**
   * Multiplications of one training step per sample: forward, weight gradients and input gradients,
   * which the first layer need not compute.
   */
  public long trainingMultiplyAdds() {
    return 3 * chain.multiplyAdds() - chain.links().getFirst().layer().multiplyAdds();
  }

  /** Memory to compute in, for one thread and batches of up to so many samples. */
  public Workspace workspace(int batchCapacity) {
    return workspace(batchCapacity, Kernels.best());
  }

  /** As {@link #workspace(int)} with kernels of the caller's choice. */
  public Workspace workspace(int batchCapacity, Kernels kernels) {
    return new Workspace(this, batchCapacity, kernels);
  }

  Chain chain() {
    return chain;
  }

  boolean sharedStatistics() {
    return sharedStatistics;
  }

  void requireLength(String what, float[] vector, int expected) {
    if (vector.length != expected) {
      throw new IllegalArgumentException(
          "model %s: wrong length of %s: expected=%d, given=%d"
              .formatted(name, what, expected, vector.length));
    }
  }

  @Override
  public String toString() {
    return "%s(%s, %,d parameters)".formatted(name, chain.input(), parameterCount());
  }
}

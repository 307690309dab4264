package dev.grapevine.engine;

import dev.grapevine.engine.layer.After;
import dev.grapevine.engine.layer.AvgPool2d;
import dev.grapevine.engine.layer.BatchNorm2d;
import dev.grapevine.engine.layer.Chain;
import dev.grapevine.engine.layer.Conv2d;
import dev.grapevine.engine.layer.Convolution;
import dev.grapevine.engine.layer.DotProduct;
import dev.grapevine.engine.layer.Dropout;
import dev.grapevine.engine.layer.Embedding;
import dev.grapevine.engine.layer.Flatten;
import dev.grapevine.engine.layer.GlobalAvgPool;
import dev.grapevine.engine.layer.GroupNorm;
import dev.grapevine.engine.layer.Layer;
import dev.grapevine.engine.layer.Linear;
import dev.grapevine.engine.layer.Lstm;
import dev.grapevine.engine.layer.MaxPool2d;
import dev.grapevine.engine.layer.Relu;
import dev.grapevine.engine.layer.ReluPool;
import dev.grapevine.engine.layer.Residual;
import dev.grapevine.engine.layer.Shape;
import dev.grapevine.engine.layer.Sigmoid;
import dev.grapevine.engine.layer.Tanh;
import dev.grapevine.engine.loss.CrossEntropy;
import dev.grapevine.engine.loss.Loss;
import dev.grapevine.engine.loss.MeanSquaredError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Describes a model layer by layer. Every layer gets the name that PyTorch users give it: {@code
 * conv1}, {@code gn1}, {@code fc2}, counted by kind.
 */
public final class ModelBuilder {

  private final String name;
  private final List<Chain.Named> links = new ArrayList<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private Shape shape;
  private boolean sharedStatistics;
  private Convolution convolution = Convolution.AUTO;

  ModelBuilder(String name, Shape input) {
    this.name = name;
    this.shape = input;
  }

  /** Appends any layer; {@code kind} is the stem of its name. */
  public ModelBuilder layer(String kind, Function<Shape, Layer> of) {
    return named(kind + counts.merge(kind, 1, Integer::sum), of);
  }

  /** Appends any layer under a name of its own. */
  public ModelBuilder named(String layerName, Function<Shape, Layer> of) {
    Layer layer;
    try {
      layer = of.apply(shape);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "model %s, layer %s: %s".formatted(name, layerName, e.getMessage()), e);
    }
    links.add(new Chain.Named(layerName, layer));
    shape = layer.output();
    return this;
  }

  /** How the convolutions that follow are computed. */
  public ModelBuilder convolution(Convolution how) {
    convolution = how;
    return this;
  }

  /** A convolution without padding. */
  public ModelBuilder conv(int outputs, int kernel) {
    return conv(outputs, kernel, 1, 0);
  }

  /** A convolution that keeps the image's size; the kernel must be odd. */
  public ModelBuilder convSame(int outputs, int kernel) {
    if (kernel % 2 == 0) {
      throw new IllegalArgumentException(
          "model %s: keeping the size wants an odd kernel: kernel=%d".formatted(name, kernel));
    }
    return conv(outputs, kernel, 1, kernel / 2);
  }

  public ModelBuilder conv(int outputs, int kernel, int stride, int padding) {
    return conv(outputs, kernel, stride, padding, true);
  }

  /** A convolution whose bias a normalisation right after it would cancel anyway. */
  public ModelBuilder convWithoutBias(int outputs, int kernel, int stride, int padding) {
    return conv(outputs, kernel, stride, padding, false);
  }

  private ModelBuilder conv(int outputs, int kernel, int stride, int padding, boolean bias) {
    return layer(
        "conv",
        input ->
            new Conv2d(Conv2d.image(input), outputs, kernel, stride, padding, bias, convolution));
  }

  public ModelBuilder groupNorm(int groups) {
    return layer("gn", input -> new GroupNorm(Conv2d.image(input), groups, After.NOTHING));
  }

  public ModelBuilder batchNorm() {
    return layer("bn", input -> new BatchNorm2d(Conv2d.image(input), After.NOTHING));
  }

  /** A ReLU; done in the same pass as a normalisation or a 2×2 max pooling right before it. */
  public ModelBuilder relu() {
    return switch (last()) {
      case GroupNorm norm when norm.after() == After.NOTHING ->
          replace(new GroupNorm(norm.input(), norm.groups(), After.RELU));
      case BatchNorm2d norm when norm.after() == After.NOTHING ->
          replace(new BatchNorm2d(norm.input(), After.RELU));
      case MaxPool2d pool when pool.kernel() == 2 && pool.stride() == 2 && pool.padding() == 0 ->
          replace(new ReluPool(pool.input()));
      case null, default -> layer("relu", Relu::new);
    };
  }

  public ModelBuilder tanh() {
    return layer("tanh", Tanh::new);
  }

  public ModelBuilder sigmoid() {
    return layer("sigmoid", Sigmoid::new);
  }

  /** Max pooling over windows that touch; of 2×2 right after a ReLU it is done in the same pass. */
  public ModelBuilder maxPool(int kernel) {
    if (kernel == 2) {
      switch (last()) {
        case GroupNorm norm when norm.after() == After.RELU -> {
          return replace(new GroupNorm(norm.input(), norm.groups(), After.RELU_POOL));
        }
        case BatchNorm2d norm when norm.after() == After.RELU -> {
          return replace(new BatchNorm2d(norm.input(), After.RELU_POOL));
        }
        case Relu relu when relu.input() instanceof Shape.Image image -> {
          return replace(new ReluPool(image));
        }
        case null, default -> {}
      }
    }
    return maxPool(kernel, kernel, 0);
  }

  public ModelBuilder maxPool(int kernel, int stride, int padding) {
    return layer("pool", input -> new MaxPool2d(Conv2d.image(input), kernel, stride, padding));
  }

  public ModelBuilder avgPool(int kernel) {
    return layer("pool", input -> new AvgPool2d(Conv2d.image(input), kernel, kernel));
  }

  /** The mean of each channel, as a flat output. */
  public ModelBuilder globalAvgPool() {
    return layer("pool", input -> new GlobalAvgPool(Conv2d.image(input)));
  }

  public ModelBuilder flatten() {
    return layer("flatten", Flatten::new);
  }

  public ModelBuilder linear(int outputs) {
    return layer("fc", input -> new Linear(input, outputs));
  }

  /** ReLU(main(x) + x), under a name such as {@code layer1.0}. */
  public ModelBuilder residual(String blockName, UnaryOperator<ModelBuilder> main) {
    return named(
        blockName, input -> new Residual(new Chain(part(input, main).links), Optional.empty()));
  }

  /** ReLU(main(x) + projection(x)); the projection's layers are named 0, 1, … */
  public ModelBuilder residual(
      String blockName, UnaryOperator<ModelBuilder> main, UnaryOperator<ModelBuilder> projection) {
    return named(
        blockName,
        input -> {
          List<Chain.Named> numbered = new ArrayList<>();
          for (Chain.Named link : part(input, projection).links) {
            numbered.add(new Chain.Named(Integer.toString(numbered.size()), link.layer()));
          }
          return new Residual(new Chain(part(input, main).links), Optional.of(new Chain(numbered)));
        });
  }

  private ModelBuilder part(Shape input, UnaryOperator<ModelBuilder> description) {
    return description.apply(new ModelBuilder(name, input).convolution(convolution));
  }

  /** Makes running statistics part of the shared parameter vector, at its end. */
  public ModelBuilder shareStatistics(boolean shared) {
    sharedStatistics = shared;
    return this;
  }

  private @Nullable Layer last() {
    return links.isEmpty() ? null : links.getLast().layer();
  }

  private ModelBuilder replace(Layer layer) {
    links.set(links.size() - 1, new Chain.Named(links.getLast().name(), layer));
    shape = layer.output();
    return this;
  }

  /** Token ids become learned vectors. */
  public ModelBuilder embedding(int tokens, int dimensions) {
    return named("embedding", input -> new Embedding(input, tokens, dimensions, null));
  }

  /** Token ids become learned vectors; the vector of the padding id stays zero. */
  public ModelBuilder embedding(int tokens, int dimensions, int padding) {
    return named("embedding", input -> new Embedding(input, tokens, dimensions, padding));
  }

  /** Stacked LSTM levels; the output is the sequence of all states of the last one. */
  public ModelBuilder lstm(int hidden, int levels) {
    return named("lstm", input -> new Lstm(input, hidden, levels, true));
  }

  /** Stacked LSTM levels; the output is the last state of the last one. */
  public ModelBuilder lstmLastState(int hidden, int levels) {
    return named("lstm", input -> new Lstm(input, hidden, levels, false));
  }

  /** Pairs (user, item) become the dot product of two learned vectors. */
  public ModelBuilder dotProduct(int users, int items, int dimensions) {
    return named("", input -> new DotProduct(input, users, items, dimensions));
  }

  public ModelBuilder dropout(double probability) {
    return layer("dropout", input -> new Dropout(input, probability));
  }

  /** Ends the description: regression. */
  public Model meanSquaredError() {
    return loss(new MeanSquaredError());
  }

  /** Ends the description: classification. */
  public Model crossEntropy() {
    return loss(new CrossEntropy());
  }

  /** Ends the description. */
  public Model loss(Loss loss) {
    if (!(shape instanceof Shape.Flat)) {
      throw new IllegalArgumentException(
          "model %s must end in a flat output: output=%s, add flatten()".formatted(name, shape));
    }
    return new Model(name, new Chain(links), loss, sharedStatistics);
  }
}

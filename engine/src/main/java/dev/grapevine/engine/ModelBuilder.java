package dev.grapevine.engine;

import dev.grapevine.engine.layer.Chain;
import dev.grapevine.engine.layer.DotProduct;
import dev.grapevine.engine.layer.Dropout;
import dev.grapevine.engine.layer.Embedding;
import dev.grapevine.engine.layer.Layer;
import dev.grapevine.engine.layer.Linear;
import dev.grapevine.engine.layer.Lstm;
import dev.grapevine.engine.layer.Relu;
import dev.grapevine.engine.layer.Shape;
import dev.grapevine.engine.loss.BinaryCrossEntropy;
import dev.grapevine.engine.loss.CrossEntropy;
import dev.grapevine.engine.loss.MeanSquaredError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Describes a model layer by layer. Every layer gets the name that PyTorch users give it: {@code
 * conv1}, {@code gn1}, {@code fc2}, counted by kind.
 */
public final class ModelBuilder {

  private final String name;
  private final List<Chain.Named> links = new ArrayList<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private Shape shape;

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

  public ModelBuilder linear(int outputs) {
    return layer("fc", input -> new Linear(input, outputs));
  }

  public ModelBuilder relu() {
    return layer("relu", Relu::new);
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

  /** Ends the description: yes or no for each output. */
  public Model binaryCrossEntropy() {
    return loss(new BinaryCrossEntropy());
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
    return new Model(name, new Chain(links), loss, false);
  }
}

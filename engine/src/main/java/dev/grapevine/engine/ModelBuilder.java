package dev.grapevine.engine;

import dev.grapevine.engine.layer.Chain;
import dev.grapevine.engine.layer.Layer;
import dev.grapevine.engine.layer.Linear;
import dev.grapevine.engine.layer.Relu;
import dev.grapevine.engine.layer.Shape;
import dev.grapevine.engine.loss.CrossEntropy;
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

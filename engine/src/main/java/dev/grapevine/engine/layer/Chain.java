package dev.grapevine.engine.layer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Layers one after the other; itself a layer. */
public record Chain(List<Named> links) implements Layer {

  /**
   * A layer and its name within the chain; layers without parameters have names too, for errors. An
   * empty name leaves the names of the layer's tensors as they are.
   */
  public record Named(String name, Layer layer) {}

  public Chain {
    links = List.copyOf(links);
    if (links.isEmpty()) {
      throw new IllegalArgumentException("a chain needs at least one layer");
    }
    for (int i = 1; i < links.size(); i++) {
      Shape given = links.get(i - 1).layer().output();
      Shape expected = links.get(i).layer().input();
      if (!given.equals(expected)) {
        throw new IllegalArgumentException(
            "layer %s does not fit its predecessor: expected=%s, given=%s"
                .formatted(links.get(i).name(), expected, given));
      }
    }
  }

  @Override
  public Shape input() {
    return links.getFirst().layer().input();
  }

  @Override
  public Shape output() {
    return links.getLast().layer().output();
  }

  @Override
  public List<Parameter> parameters() {
    return qualified(Layer::parameters);
  }

  @Override
  public List<Parameter> statistics() {
    return qualified(Layer::statistics);
  }

  private List<Parameter> qualified(Function<Layer, List<Parameter>> tensors) {
    List<Parameter> all = new ArrayList<>();
    for (Named link : links) {
      for (Parameter p : tensors.apply(link.layer())) {
        String name = link.name().isEmpty() ? p.name() : link.name() + "." + p.name();
        all.add(new Parameter(name, p.shape(), p.initialization()));
      }
    }
    return List.copyOf(all);
  }

  @Override
  public int inputMargin() {
    return links.getFirst().layer().inputMargin();
  }

  @Override
  public int gradientMargin() {
    return links.getLast().layer().gradientMargin();
  }

  @Override
  public boolean writesAhead() {
    return true;
  }

  @Override
  public boolean needsWholeBatch() {
    return links.stream().anyMatch(link -> link.layer().needsWholeBatch());
  }

  @Override
  public long multiplyAdds() {
    return links.stream().mapToLong(link -> link.layer().multiplyAdds()).sum();
  }

  @Override
  public Pass pass(Binding binding) {
    return new ChainPass(this, binding);
  }
}

package dev.grapevine.engine.layer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * ReLU(main(x) + shortcut(x)), where the shortcut is the identity or a projection.
 *
 * <p>He et al., Deep Residual Learning for Image Recognition, CVPR 2016.
 */
public record Residual(Chain main, Optional<Chain> projection) implements Layer {

  public Residual {
    Shape given = projection.map(Chain::output).orElse(main.input());
    if (!main.output().equals(given)) {
      throw new IllegalArgumentException(
          "the shortcut does not fit the block: expected=%s, given=%s, add a projection"
              .formatted(main.output(), given));
    }
  }

  @Override
  public Shape input() {
    return main.input();
  }

  @Override
  public Shape output() {
    return main.output();
  }

  @Override
  public List<Parameter> parameters() {
    List<Parameter> all = new ArrayList<>(main.parameters());
    projection.ifPresent(chain -> addAll(all, chain.parameters()));
    return all;
  }

  @Override
  public List<Parameter> statistics() {
    List<Parameter> all = new ArrayList<>(main.statistics());
    projection.ifPresent(chain -> addAll(all, chain.statistics()));
    return all;
  }

  private static void addAll(List<Parameter> all, List<Parameter> projection) {
    for (Parameter p : projection) {
      all.add(new Parameter("downsample." + p.name(), p.shape(), p.initialization()));
    }
  }

  @Override
  public int inputMargin() {
    return Math.max(main.inputMargin(), projection.map(Chain::inputMargin).orElse(0));
  }

  @Override
  public boolean writesAhead() {
    return true;
  }

  @Override
  public boolean needsWholeBatch() {
    return main.needsWholeBatch() || projection.map(Chain::needsWholeBatch).orElse(false);
  }

  @Override
  public long multiplyAdds() {
    return main.multiplyAdds() + projection.map(Chain::multiplyAdds).orElse(0L);
  }

  @Override
  public Pass pass(Binding binding) {
    return new ResidualPass(this, binding);
  }
}

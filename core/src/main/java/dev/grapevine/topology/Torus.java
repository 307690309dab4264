package dev.grapevine.topology;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;

/** A grid whose opposite sides are joined: degree 4, spectral gap of order 1/n. */
@Kind(name = "torus", summary = "A rectangle, its opposite sides joined; four neighbours a node.")
public final class Torus {

  private Torus() {}

  /** The rectangle's shape and how models are mixed. */
  public record Settings(
      @Doc("rows, a divisor of the number of nodes; 0 for the most nearly square shape")
          @Default("0")
          int rows,
      MixingWeights mixing) {}

  public static Topology create(Settings settings, TopologyContext context) {
    Lattice lattice = Lattice.of(context.nodes(), settings.rows());
    return settings.mixing().over(lattice.graph(true), context);
  }
}

package dev.grapevine.topology;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;

/** A rectangle of rows × columns: neighbours are above, below, left and right; fewer at the rim. */
@Kind(name = "grid", summary = "A rectangle; a node talks to those above, below, left and right.")
public final class Grid {

  private Grid() {}

  /** The rectangle's shape and how models are mixed. */
  public record Settings(
      @Doc("rows, a divisor of the number of nodes; 0 for the most nearly square shape")
          @Default("0")
          int rows,
      MixingWeights mixing) {}

  public static Topology create(Settings settings, TopologyContext context) {
    Lattice lattice = Lattice.of(context.nodes(), settings.rows());
    return settings.mixing().over(lattice.graph(false), context);
  }
}

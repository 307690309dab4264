package dev.grapevine.topology;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * A random graph in which every node has exactly d neighbours, drawn until it is connected (which
 * for d ≥ 3 almost every draw is). Asymptotically uniform among such graphs; expected cost O(n d²).
 * With {@code redraw-every = 1} it is the dynamic graph of the DecentralizePy paper and of
 * EL-Oracle.
 *
 * <p>A. Steger, N. Wormald, "Generating random regular graphs quickly", Combinatorics, Probability
 * and Computing 8(4), 1999.
 */
@Kind(
    name = "regular",
    summary = "A random connected graph in which every node has the same degree.",
    paper = "Steger, Wormald 1999, Generating random regular graphs quickly")
public final class RandomRegular {

  private RandomRegular() {}

  /** Degree, how often to draw anew, how models are mixed. */
  public record Settings(
      @Doc("neighbours of every node, below the number of nodes") @Default("4") int degree,
      @Doc("draw a new graph after so many rounds; 0 keeps the first") @Default("0")
          int redrawEvery,
      MixingWeights mixing) {
    public Settings {
      SettingException.require(
          degree >= 0, "degree", "degree must not be negative: degree=" + degree);
      Redraw.check(redrawEvery);
    }
  }

  public static Topology create(Settings settings, TopologyContext context) {
    int nodes = context.nodes();
    int degree = settings.degree();
    check(nodes, degree);
    RandomGraph graph = random -> draw(nodes, degree, random);
    return graph.topology(context, settings.mixing().rule(context), settings.redrawEvery());
  }

  /** A new graph in every round, mixed by plain averages: the graphs of EL-Oracle. */
  public static Topology everyRound(int nodes, int degree, long seed) {
    check(nodes, degree);
    RandomGraph graph = random -> draw(nodes, degree, random);
    return graph.topology(new TopologyContext(nodes, seed, Path.of("")), new UniformWeights(), 1);
  }

  private static void check(int nodes, int degree) {
    String figures = ": degree=" + degree + ", nodes=" + nodes;
    SettingException.require(
        degree < nodes, "degree", "degree must be below the number of nodes" + figures);
    SettingException.require(
        (long) nodes * degree % 2 == 0,
        "degree",
        "degree times the number of nodes must be even" + figures + "; change one of them by one");
    SettingException.require(
        degree >= Math.min(2, nodes - 1),
        "degree",
        "degree is too low to connect all nodes" + figures + "; use at least 2");
  }

  static Graph draw(int nodes, int degree, RandomGenerator random) {
    if (degree == 2) {
      return cycle(nodes, random);
    }
    // A dense regular graph is the complement of a sparse one, which is far easier to draw.
    boolean dense = degree > (nodes - 1) / 2;
    while (true) {
      Graph graph = new StubMatching(nodes, dense ? nodes - 1 - degree : degree, random).draw();
      graph = dense ? graph.complement() : graph;
      if (graph.isConnected()) {
        return graph;
      }
    }
  }

  /** A connected graph of degree 2 is one cycle through all nodes. */
  private static Graph cycle(int nodes, RandomGenerator random) {
    int[] order = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      order[i] = i;
    }
    StubMatching.shuffle(order, nodes, random);
    Graph.Builder graph = Graph.undirected(nodes);
    for (int i = 0; i < nodes; i++) {
      graph.add(order[i], order[(i + 1) % nodes]);
    }
    return graph.build();
  }
}

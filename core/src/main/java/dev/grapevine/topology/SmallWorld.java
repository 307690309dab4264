package dev.grapevine.topology;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Watts and Strogatz's small world: a ring in which every node knows its k nearest, and each edge's
 * far end is moved to a random node with probability β; drawn until it is connected. Mean degree k,
 * diameter of order log n already for small β; O(n k) a draw.
 *
 * <p>D. Watts, S. Strogatz, "Collective dynamics of small-world networks", Nature 393, 1998.
 */
@Kind(
    name = "small-world",
    summary = "A ring of near neighbours with some edges moved to random nodes.",
    paper = "Watts, Strogatz 1998, Collective dynamics of small-world networks")
public final class SmallWorld {

  private static final int DRAWS = 200;

  private SmallWorld() {}

  /** Degree, share of moved edges, how often to draw anew, how models are mixed. */
  public record Settings(
      @Doc("mean degree: even, at least 2, below the number of nodes") @Default("4") int degree,
      @Doc("probability that an edge is moved, from 0 to 1") @Default("0.1") double rewire,
      @Doc("draw a new graph after so many rounds; 0 keeps the first") @Default("0")
          int redrawEvery,
      MixingWeights mixing) {
    public Settings {
      SettingException.require(
          degree >= 2 && degree % 2 == 0,
          "degree",
          "degree must be even and at least 2: degree=" + degree);
      SettingException.require(
          rewire >= 0 && rewire <= 1, "rewire", "rewire must be from 0 to 1: rewire=" + rewire);
      Redraw.check(redrawEvery);
    }
  }

  public static Topology create(Settings settings, TopologyContext context) {
    SettingException.require(
        settings.degree() < context.nodes(),
        "degree",
        "degree must be below the number of nodes: degree="
            + settings.degree()
            + ", nodes="
            + context.nodes());
    RandomGraph graph =
        random -> draw(context.nodes(), settings.degree(), settings.rewire(), random);
    return graph.topology(context, settings.mixing().rule(context), settings.redrawEvery());
  }

  private static Graph draw(int nodes, int degree, double rewire, RandomGenerator random) {
    for (int i = 0; i < DRAWS; i++) {
      Graph graph = drawOnce(nodes, degree, rewire, random);
      if (graph.isConnected()) {
        return graph;
      }
    }
    throw new SettingException(
        "rewire",
        "no connected graph in "
            + DRAWS
            + " draws: degree="
            + degree
            + ", rewire="
            + rewire
            + ", nodes="
            + nodes
            + "; use a higher degree or a lower rewire");
  }

  private static Graph drawOnce(int nodes, int degree, double rewire, RandomGenerator random) {
    Set<Long> edges = new HashSet<>();
    int[] degrees = new int[nodes];
    for (int hop = 1; hop <= degree / 2; hop++) {
      for (int node = 0; node < nodes; node++) {
        connect(edges, degrees, node, (node + hop) % nodes);
      }
    }
    for (int hop = 1; hop <= degree / 2; hop++) {
      for (int node = 0; node < nodes; node++) {
        if (random.nextDouble() < rewire && degrees[node] < nodes - 1) {
          int before = (node + hop) % nodes;
          int after = random.nextInt(nodes);
          while (after == node || edges.contains(key(node, after))) {
            after = random.nextInt(nodes);
          }
          edges.remove(key(node, before));
          degrees[node]--;
          degrees[before]--;
          connect(edges, degrees, node, after);
        }
      }
    }
    Graph.Builder graph = Graph.undirected(nodes);
    edges.forEach(edge -> graph.add((int) (edge >>> 32), edge.intValue()));
    return graph.build();
  }

  private static void connect(Set<Long> edges, int[] degrees, int node, int peer) {
    if (edges.add(key(node, peer))) {
      degrees[node]++;
      degrees[peer]++;
    }
  }

  private static Long key(int node, int peer) {
    return (long) Math.min(node, peer) << 32 | Math.max(node, peer);
  }
}

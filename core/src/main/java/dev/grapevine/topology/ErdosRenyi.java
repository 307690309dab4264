package dev.grapevine.topology;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * The random graph G(n, p): every two nodes are neighbours with probability p, independently; drawn
 * until it is connected. Edges are found by jumping over the gaps between them (Batagelj and
 * Brandes 2005): O(n + edges) a draw.
 *
 * <p>P. Erdős, A. Rényi, "On random graphs I", Publicationes Mathematicae 6, 1959.
 */
@Kind(
    name = "erdos-renyi",
    summary = "Every two nodes are neighbours with the same probability; drawn until connected.",
    paper = "Erdős, Rényi 1959, On random graphs I")
public final class ErdosRenyi {

  private static final int DRAWS = 200;

  private ErdosRenyi() {}

  /** Edge probability, how often to draw anew, how models are mixed. */
  public record Settings(
      @Doc("probability of each edge, above 0 and at most 1") double probability,
      @Doc("draw a new graph after so many rounds; 0 keeps the first") @Default("0")
          int redrawEvery,
      MixingWeights mixing) {
    public Settings {
      SettingException.require(
          probability > 0 && probability <= 1,
          "probability",
          "probability must be above 0 and at most 1: probability=" + probability);
      Redraw.check(redrawEvery);
    }
  }

  public static Topology create(Settings settings, TopologyContext context) {
    RandomGraph graph = random -> draw(context.nodes(), settings.probability(), random);
    return graph.topology(context, settings.mixing().rule(context), settings.redrawEvery());
  }

  private static Graph draw(int nodes, double probability, RandomGenerator random) {
    for (int i = 0; i < DRAWS; i++) {
      Graph graph = drawOnce(nodes, probability, random);
      if (graph.isConnected()) {
        return graph;
      }
    }
    throw new SettingException(
        "probability",
        String.format(
            Locale.ROOT,
            "no connected graph in %d draws: probability=%s, nodes=%d; use at least %.4f",
            DRAWS,
            probability,
            nodes,
            Math.min(1, (Math.log(nodes) + 1) / nodes)));
  }

  private static Graph drawOnce(int nodes, double probability, RandomGenerator random) {
    Graph.Builder graph = Graph.undirected(nodes);
    double logOfNoEdge = Math.log1p(-probability);
    long peer = -1;
    int node = 1;
    while (node < nodes) {
      long gap = probability == 1 ? 0 : (long) (Math.log1p(-random.nextDouble()) / logOfNoEdge);
      peer += 1 + gap;
      while (node < nodes && peer >= node) {
        peer -= node++;
      }
      if (node < nodes) {
        graph.add(node, (int) peer);
      }
    }
    return graph.build();
  }
}

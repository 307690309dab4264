package dev.grapevine.topology;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.random.RandomGenerator;

/**
 * Every node sends to d random others, without asking whether they send back: the local variant of
 * epidemic learning. How many a node hears from varies, and one draw alone need not connect all;
 * redrawn every round, it does over time. Weights are row-stochastic only. O(n d) a draw.
 *
 * <p>M. de Vos, S. Farhadkhani, R. Guerraoui, A.-M. Kermarrec, R. Pires, R. Sharma, "Epidemic
 * learning: boosting decentralized learning with randomized communication", NeurIPS 2023.
 */
@Kind(
    name = "random-out",
    summary = "Every node sends to random others, one way; drawn anew each round by default.",
    paper = "de Vos et al. 2023, Epidemic learning")
public final class RandomOut {

  private RandomOut() {}

  /** How many to send to, how often to draw anew, how models are mixed. */
  public record Settings(
      @Doc("how many a node sends to: at least 1, below the number of nodes") @Default("4")
          int degree,
      @Doc("draw a new graph after so many rounds; 0 keeps the first") @Default("1")
          int redrawEvery,
      OneWayWeights mixing) {
    public Settings {
      SettingException.require(
          degree >= 1, "degree", "degree must be at least 1: degree=" + degree);
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
    RandomGraph graph = random -> draw(context.nodes(), settings.degree(), random);
    return graph.topology(context, settings.mixing().rule(context), settings.redrawEvery());
  }

  private static Graph draw(int nodes, int degree, RandomGenerator random) {
    Graph.Builder graph = Graph.directed(nodes);
    int[] order = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      order[i] = i;
    }
    for (int node = 0; node < nodes; node++) {
      // The head of a shuffle is a sample; one spare entry, as the node may meet itself.
      int sent = 0;
      for (int i = 0; sent < degree; i++) {
        int j = i + random.nextInt(nodes - i);
        int peer = order[j];
        order[j] = order[i];
        order[i] = peer;
        if (peer != node) {
          graph.add(node, peer);
          sent++;
        }
      }
    }
    return graph.build();
  }
}

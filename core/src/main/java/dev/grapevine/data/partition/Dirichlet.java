package dev.grapevine.data.partition;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.data.DataSet;
import dev.grapevine.data.Partitioner;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Splits each class over the nodes by shares drawn from Dirichlet(α): a small α gives every node
 * few classes, a large one approaches {@link Iid}.
 *
 * <p>The papers draw again and again until every node has its minimum, which for many nodes and a
 * small α never ends. Here one draw is mended: while a node is below the minimum, the node with
 * most samples gives it one of its most frequent class.
 *
 * <p>Termination: the minimum times the nodes is at most the number of samples, so while some node
 * is below the minimum, the largest node is above it, and giving one away leaves it no lower than
 * the minimum. Each gift thus lowers the sum of what is missing by one, and that sum is finite.
 * Cost: O(samples + nodes * classes + gifts * (log nodes + classes)).
 */
@Kind(
    name = "dirichlet",
    summary = "each class split by Dirichlet(alpha) shares: label skew from mild to harsh",
    paper =
        "T.-M. H. Hsu, H. Qi, M. Brown, Measuring the Effects of Non-Identical Data Distribution,"
            + " 2019; M. Yurochkin et al., Bayesian Nonparametric Federated Learning of Neural"
            + " Networks, ICML 2019")
public final class Dirichlet implements Partitioner {

  /**
   * @param alpha concentration
   * @param minimumPerNode fewest samples a node may have
   */
  public record Settings(
      @Doc("concentration, above 0: 0.1 is harsh, 100 nearly iid") @Default("0.5") double alpha,
      @Doc("fewest samples per node, 1 or more") @Default("1") int minimumPerNode) {
    public Settings {
      require(
          alpha > 0 && alpha <= 1e6,
          "alpha",
          "alpha must be above 0 and at most 1000000: alpha=" + alpha);
      require(
          minimumPerNode >= 1,
          "minimum-per-node",
          "minimum-per-node must be at least 1: minimum-per-node=" + minimumPerNode);
    }
  }

  private final Settings settings;

  public Dirichlet(Settings settings) {
    this.settings = settings;
  }

  @Override
  public int[][] deal(DataSet train, int nodes, long seed) {
    Deal.requireClasses(train, "dirichlet");
    Deal.requireEnough(train, nodes);
    int minimum = settings.minimumPerNode();
    require(
        (long) nodes * minimum <= train.size(),
        "minimum-per-node",
        "not enough samples for every node's minimum: nodes=%d, minimum-per-node=%d, samples=%d"
            .formatted(nodes, minimum, train.size()));
    SplitMix random = new SplitMix(seed);
    int[][] members = Deal.byClass(train, random);
    int[][] counts = new int[members.length][];
    for (int label = 0; label < members.length; label++) {
      counts[label] =
          Deal.apportion(
              members[label].length, DirichletDistribution.draw(nodes, settings.alpha(), random));
    }
    mend(counts, nodes, minimum);
    return collect(members, counts, nodes);
  }

  /** Moves samples from the largest nodes to those below the minimum. */
  private static void mend(int[][] counts, int nodes, int minimum) {
    int[] totals = new int[nodes];
    for (int[] ofClass : counts) {
      for (int node = 0; node < nodes; node++) {
        totals[node] += ofClass[node];
      }
    }
    PriorityQueue<Integer> largestFirst =
        new PriorityQueue<>(
            Comparator.<Integer>comparingInt(node -> -totals[node])
                .thenComparing(Comparator.naturalOrder()));
    for (int node = 0; node < nodes; node++) {
      if (totals[node] > minimum) {
        largestFirst.add(node);
      }
    }
    for (int poor = 0; poor < nodes; poor++) {
      while (totals[poor] < minimum) {
        int rich = largestFirst.remove();
        int[] commonest = commonestClass(counts, rich);
        commonest[rich]--;
        commonest[poor]++;
        totals[rich]--;
        totals[poor]++;
        if (totals[rich] > minimum) {
          largestFirst.add(rich);
        }
      }
    }
  }

  private static int[] commonestClass(int[][] counts, int node) {
    int[] commonest = counts[0];
    for (int[] ofClass : counts) {
      if (ofClass[node] > commonest[node]) {
        commonest = ofClass;
      }
    }
    return commonest;
  }

  private static int[][] collect(int[][] members, int[][] counts, int nodes) {
    int[][][] pieces = new int[nodes][members.length][];
    for (int label = 0; label < members.length; label++) {
      int[][] cut = Deal.cut(members[label], counts[label]);
      for (int node = 0; node < nodes; node++) {
        pieces[node][label] = cut[node];
      }
    }
    int[][] dealt = new int[nodes][];
    for (int node = 0; node < nodes; node++) {
      dealt[node] = Deal.concatenate(pieces[node]);
    }
    return dealt;
  }
}

package dev.grapevine.data.partition;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.data.DataSet;
import dev.grapevine.data.Partitioner;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;

/**
 * Random slices whose sizes follow Dirichlet(β): nodes draw from one distribution but have unequal
 * amounts. Every node first gets its minimum; the rest is split by the drawn shares.
 */
@Kind(
    name = "quantity-skew",
    summary = "random slices of Dirichlet(beta) sizes: same distribution, unequal amounts",
    paper = "Q. Li et al., Federated Learning on Non-IID Data Silos, ICDE 2022")
public final class QuantitySkew implements Partitioner {

  /**
   * @param sizeBeta concentration of the sizes
   * @param smallestSize fewest samples a node may have
   */
  public record Settings(
      @Doc("concentration of the sizes, above 0: small is unequal") @Default("0.5") double sizeBeta,
      @Doc("fewest samples per node, 1 or more") @Default("1") int smallestSize) {
    public Settings {
      require(
          sizeBeta > 0 && sizeBeta <= 1e6,
          "size-beta",
          "size-beta must be above 0 and at most 1000000: size-beta=" + sizeBeta);
      require(
          smallestSize >= 1,
          "smallest-size",
          "smallest-size must be at least 1: smallest-size=" + smallestSize);
    }
  }

  private final Settings settings;

  public QuantitySkew(Settings settings) {
    this.settings = settings;
  }

  @Override
  public int[][] deal(DataSet train, int nodes, long seed) {
    Deal.requireEnough(train, nodes);
    long promised = (long) nodes * settings.smallestSize();
    require(
        promised <= train.size(),
        "smallest-size",
        "not enough samples for every node's minimum: nodes=%d, smallest-size=%d, samples=%d"
            .formatted(nodes, settings.smallestSize(), train.size()));
    SplitMix random = new SplitMix(seed);
    int[] sizes =
        Deal.apportion(
            train.size() - (int) promised,
            DirichletDistribution.draw(nodes, settings.sizeBeta(), random));
    for (int node = 0; node < nodes; node++) {
      sizes[node] += settings.smallestSize();
    }
    return Deal.cut(SplitMix.permutation(train.size(), random), sizes);
  }
}

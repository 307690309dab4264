package dev.grapevine.data.partition;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.data.DataSet;
import dev.grapevine.data.Partitioner;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.util.List;

/**
 * Random slices of the sizes that the user asks for. A node's size is less than one sample away
 * from its fraction of the whole.
 */
@Kind(name = "fractions", summary = "random slices of given relative sizes, one per node")
public final class Fractions implements Partitioner {

  private static final double TOLERANCE = 1e-6;

  /**
   * @param fractions one per node, adding up to 1
   */
  public record Settings(
      @Doc("share of the samples for each node, above 0, adding up to 1") List<Double> fractions) {
    public Settings {
      fractions = List.copyOf(fractions);
      double sum = 0;
      for (int node = 0; node < fractions.size(); node++) {
        double fraction = fractions.get(node);
        require(
            fraction > 0,
            "fractions",
            "every fraction must be above 0: fractions[%d]=%s".formatted(node, fraction));
        sum += fraction;
      }
      require(
          Math.abs(sum - 1) <= TOLERANCE,
          "fractions",
          "fractions must add up to 1: sum=%s, fractions=%d".formatted(sum, fractions.size()));
    }
  }

  private final List<Double> fractions;

  public Fractions(Settings settings) {
    fractions = settings.fractions();
  }

  @Override
  public int[][] deal(DataSet train, int nodes, long seed) {
    Deal.requireEnough(train, nodes);
    require(
        fractions.size() == nodes,
        "fractions",
        "there must be one fraction per node: fractions=%d, nodes=%d"
            .formatted(fractions.size(), nodes));
    double[] shares = fractions.stream().mapToDouble(Double::doubleValue).toArray();
    int[] sizes = Deal.apportion(train.size(), shares);
    for (int node = 0; node < nodes; node++) {
      require(
          sizes[node] > 0,
          "fractions",
          "a fraction is less than one sample: fractions[%d]=%s, samples=%d"
              .formatted(node, fractions.get(node), train.size()));
    }
    return Deal.cut(SplitMix.permutation(train.size(), new SplitMix(seed)), sizes);
  }
}

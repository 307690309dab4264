import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.SettingException;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;

/**
 * An own topology in one file: a circle in which every node reaches a little further each round, 1
 * step, then 2, up to {@code reach}, then 1 again. A topology is a pure function of node and round.
 */
public final class MyTopology implements Topology {

  /** The keys of the table [topology] next to {@code kind}. */
  public record Settings(@Doc("the longest step, at least 1") @Default("3") int reach) {
    public Settings {
      SettingException.require(reach >= 1, "reach", "reach must be at least 1: reach=" + reach);
    }
  }

  private final int nodes;
  private final int reach;

  public MyTopology(Settings settings, TopologyContext context) {
    this.nodes = context.nodes();
    this.reach = settings.reach();
    SettingException.require(
        2 * reach < nodes, "reach", "a step may not reach around: reach=" + reach);
  }

  @Override
  public int nodes() {
    return nodes;
  }

  @Override
  public Neighbourhood neighbours(int node, int round) {
    int step = 1 + round % reach;
    int before = (node - step + nodes) % nodes;
    int after = (node + step) % nodes;
    int[] peers = {Math.min(before, after), Math.max(before, after)};
    // Rows and columns of the weights add up to one, so that mixing keeps the mean.
    return new Neighbourhood(node, peers, peers, new double[] {1 / 3.0, 1 / 3.0}, 1 / 3.0);
  }

  @Override
  public int period() {
    return reach;
  }
}

package dev.grapevine.sharing.difference;

import dev.grapevine.message.Outgoing;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Received;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.sharing.Workspace;
import dev.grapevine.topology.Neighbourhood;

/**
 * DCD-PSGD, difference compression. Models equal their replicas at the end of every round:
 *
 * <pre>
 *   z_i = Σ_j w_ij x_j + u_i − x_i,  x_i ← x_i + C(z_i)
 * </pre>
 *
 * where u_i is what training changed at x_i. Without compression this is D-PSGD as Lian et al.
 * write it: mixing and training start from the same point. The compressor must be unbiased; the
 * mean is preserved up to its error. All nodes must start from the same parameters. Keeps two
 * vectors.
 */
@Kind(
    name = "dcd",
    summary = "DCD-PSGD: compressed differences, models equal to their replicas",
    paper =
        "Tang, Gan, Zhang, Zhang, Liu, Communication compression for decentralized training,"
            + " NeurIPS 2018, Alg. 1")
public final class DcdPsgd implements Sharing {

  private final float[] parameters;
  private final float[] replica;
  private final float[] replicaSum;
  private final Exchange exchange;
  private final FixedNeighbours fixed;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("how differences are compressed; must be unbiased") @Default("qsgd")
          Choice<SharingContext, Compressor> compressor) {}

  public DcdPsgd(Settings settings, SharingContext context) {
    this(
        SameStart.requireUnbiased(
            settings.compressor().create(context), "dcd", settings.compressor().name()),
        "dcd",
        context);
  }

  DcdPsgd(Compressor compressor, String name, SharingContext context) {
    parameters = context.parameters();
    replica = parameters.clone();
    replicaSum = parameters.clone();
    exchange = Exchange.fromCommonStart(compressor, parameters);
    fixed = new FixedNeighbours(name);
  }

  @Override
  public Continuity continuity() {
    return Continuity.NEIGHBOURS;
  }

  @Override
  public boolean needsSameStart() {
    return true;
  }

  @Override
  public Outgoing message(int round, Neighbourhood neighbours) {
    fixed.require(round, neighbours);
    try (Workspace workspace = Workspace.borrow()) {
      float[] difference = workspace.floats(0, parameters.length);
      for (int i = 0; i < parameters.length; i++) {
        difference[i] = replicaSum[i] - replica[i] + (parameters[i] - replica[i]);
      }
      return exchange.send(difference, workspace);
    }
  }

  @Override
  public void merge(Received received) {
    try (Workspace workspace = Workspace.borrow()) {
      float[] change = exchange.weightedSum(received, workspace);
      for (int i = 0; i < parameters.length; i++) {
        replicaSum[i] += change[i];
      }
      exchange.addOwn(1, replica, workspace);
      System.arraycopy(replica, 0, parameters, 0, parameters.length);
      exchange.finish();
    }
  }
}

package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;

/**
 * DCD-PSGD, difference compression. Models equal their replicas at the end of every round:
 *
 * <pre>
 *   z_i = Σ_j w_ij x_j + u_i − x_i,  x_i ← x_i + C(z_i)
 * </pre>
 *
 * where u_i is what training changed at x_i. Without compression this is D-PSGD as Lian et al.
 * write it: mixing and training start from the same point. The compressor must be unbiased and add
 * less noise than there is signal; the mean is preserved up to its error. All nodes must start from
 * the same parameters. Keeps two vectors.
 */
@Kind(
    name = "dcd",
    summary = "DCD-PSGD: compressed differences, models equal to their replicas",
    paper =
        "Tang, Gan, Zhang, Zhang, Liu, Communication compression for decentralized training,"
            + " NeurIPS 2018, Alg. 1")
public final class DcdPsgd implements Encoding {

  private final float[] parameters;
  private final float[] replica;
  private final float[] replicaSum;
  private final float gamma;

  /** What compression left out so far and the next message makes up for; empty if it is lost. */
  private final float[] error;

  private final CompressedSum messages;
  private final FixedNeighbours fixed;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("how differences are compressed; must be unbiased") @Default("qsgd")
          Choice<SharingContext, Compressor> compressor) {}

  public DcdPsgd(Settings settings, SharingContext context) {
    this(
        SameStart.requireLittleNoise(
            SameStart.requireUnbiased(
                settings.compressor().create(context), "dcd", settings.compressor().name()),
            "dcd",
            "compressor"),
        "dcd",
        context);
  }

  DcdPsgd(Compressor compressor, String name, SharingContext context) {
    this(compressor, name, 1, new float[0], context);
  }

  /** ECSD-SGD: mixing has a step size of its own, and no error is lost. */
  static DcdPsgd compensated(
      Compressor compressor, String name, double gamma, SharingContext context) {
    float[] error = context.state().floats("error", new float[context.vector().length]);
    return new DcdPsgd(compressor, name, (float) gamma, error, context);
  }

  private DcdPsgd(
      Compressor compressor, String name, float gamma, float[] error, SharingContext context) {
    this.gamma = gamma;
    this.error = error;
    parameters = context.vector();
    replica = context.state().floats("replica", parameters.clone());
    replicaSum = context.state().floats("replica-sum", parameters.clone());
    messages = CompressedSum.fromCommonStart(compressor, parameters, context.state());
    fixed = new FixedNeighbours(name);
  }

  @Override
  public boolean isLinear() {
    return true;
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
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    fixed.require(round, to);
    float[] difference = scratch.floats("sharing.coordinates", parameters.length);
    for (int i = 0; i < parameters.length; i++) {
      difference[i] = difference(i);
    }
    return messages.send(difference, scratch);
  }

  private float difference(int i) {
    float wanted = gamma * (replicaSum[i] - replica[i]) + (parameters[i] - replica[i]);
    return error.length == 0 ? wanted : wanted + error[i];
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    return messages.decode(payload, scratch);
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    if (error.length > 0) {
      for (int i = 0; i < error.length; i++) {
        error[i] = difference(i);
      }
      messages.addOwn(-1, error, scratch);
    }
    float[] change = messages.weightedSum(heard, scratch);
    for (int i = 0; i < parameters.length; i++) {
      replicaSum[i] += change[i];
    }
    messages.addOwn(1, replica, scratch);
    System.arraycopy(replica, 0, parameters, 0, parameters.length);
    messages.finish();
  }
}

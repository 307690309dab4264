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
 * ECD-PSGD, extrapolation compression. Estimates y_j of the models are drawn from extrapolations,
 * so that the error of compression falls as 1/t. In the t-th exchange, from t = 1:
 *
 * <pre>
 *   x_i' = Σ_j w_ij y_j + u_i,  z_i = (1 − t/2) x_i + t/2 · x_i',  y_j ← (1 − 2/t) y_j + 2/t · C(z_j)
 * </pre>
 *
 * where u_i is what training changed at x_i. The compressor must be unbiased; the mean is preserved
 * up to its error. All nodes must start from the same parameters. Keeps two vectors: x_i and Σ_j
 * w_ij y_j.
 */
@Kind(
    name = "ecd",
    summary = "ECD-PSGD: compressed extrapolations, estimates that grow better with time",
    paper =
        "Tang, Gan, Zhang, Zhang, Liu, Communication compression for decentralized training,"
            + " NeurIPS 2018, Alg. 2")
public final class EcdPsgd implements Encoding {

  private final float[] parameters;
  private final float[] start;
  private final float[] estimateSum;
  private final CompressedSum messages;
  private final FixedNeighbours fixed = new FixedNeighbours("ecd");
  private int t = 1;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("how extrapolations are compressed; must be unbiased") @Default("qsgd")
          Choice<SharingContext, Compressor> compressor) {}

  public EcdPsgd(Settings settings, SharingContext context) {
    Compressor compressor =
        SameStart.requireUnbiased(
            settings.compressor().create(context), "ecd", settings.compressor().name());
    parameters = context.vector();
    start = context.state().floats("start", parameters.clone());
    estimateSum = context.state().floats("estimate-sum", parameters.clone());
    context.state().value("exchanges", () -> t, saved -> t = (int) saved);
    messages = CompressedSum.fromCommonStart(compressor, parameters, context.state());
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
    float[] extrapolation = scratch.floats("sharing.coordinates", parameters.length);
    float ahead = 0.5f * t;
    for (int i = 0; i < parameters.length; i++) {
      float next = estimateSum[i] + (parameters[i] - start[i]);
      extrapolation[i] = start[i] + ahead * (next - start[i]);
    }
    return messages.send(extrapolation, scratch);
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    return messages.decode(payload, scratch);
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    float[] sum = messages.weightedSum(heard, scratch);
    float fresh = 2f / t;
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] = estimateSum[i] + (parameters[i] - start[i]);
      start[i] = parameters[i];
      estimateSum[i] = (1 - fresh) * estimateSum[i] + fresh * sum[i];
    }
    t++;
    messages.finish();
  }
}

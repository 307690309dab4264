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
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;

/**
 * DeepSqueeze: error-compensated compression of the model itself, without replicas.
 *
 * <pre>
 *   v_i = x_i + δ_i,  δ_i ← v_i − C(v_i),  x_i ← x_i + η (Σ_j w_ij C(v_j) − C(v_i))
 * </pre>
 *
 * <p>An unbiased compressor is scaled by 1/(1 + ω), so that it contracts. Bears changing neighbours
 * and lost messages. Preserves the mean exactly when the weights are symmetric, whatever the
 * compressor. Keeps one vector, the error δ.
 */
@Kind(
    name = "deepsqueeze",
    summary = "error-compensated compression of the model, without replicas",
    paper =
        "Tang, Lian, Qiu, Yuan, Zhang, Zhang, Liu, DeepSqueeze: decentralization meets"
            + " error-compensated compression, 2019")
public final class DeepSqueeze implements Encoding {

  private final float eta;
  private final float[] parameters;
  private final float[] error;
  private final CompressedSum messages;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the step size of mixing, in (0, 1]; smaller for stronger compression") @Default("0.1")
          double eta,
      @Doc("how models are compressed") @Default("topk")
          Choice<SharingContext, Compressor> compressor) {
    public Settings {
      SettingException.require(eta > 0 && eta <= 1, "eta", "eta must be in (0, 1]: eta=" + eta);
    }
  }

  public DeepSqueeze(Settings settings, SharingContext context) {
    eta = (float) settings.eta();
    parameters = context.vector();
    error = context.state().floats("error", parameters.length);
    Compressor compressor =
        Contracting.of(settings.compressor().create(context), parameters.length);
    messages = CompressedSum.ofVectors(compressor, parameters.length);
  }

  @Override
  public boolean isLinear() {
    return true;
  }

  @Override
  public boolean keepsMean() {
    return true;
  }

  @Override
  public Continuity continuity() {
    return Continuity.ROUNDS;
  }

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    for (int i = 0; i < parameters.length; i++) {
      error[i] += parameters[i];
    }
    Payload payload = messages.send(error, scratch);
    messages.addOwn(-1, error, scratch);
    return payload;
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    return messages.decode(payload, scratch);
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    float[] pull = messages.weightedSum(heard, scratch);
    messages.addOwn(-1, pull, scratch);
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] += eta * pull[i];
    }
    messages.finish();
  }
}

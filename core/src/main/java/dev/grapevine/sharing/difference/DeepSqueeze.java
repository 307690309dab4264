package dev.grapevine.sharing.difference;

import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Received;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.sharing.Workspace;
import dev.grapevine.topology.Neighbourhood;

/**
 * DeepSqueeze: error-compensated compression of the model itself, without replicas.
 *
 * <pre>
 *   v_i = x_i + δ_i,  δ_i ← v_i − C(v_i),  x_i ← x_i + η (Σ_j w_ij C(v_j) − C(v_i))
 * </pre>
 *
 * <p>Bears changing neighbours and lost messages. Preserves the mean exactly when the weights are
 * symmetric, whatever the compressor. Keeps one vector, the error δ.
 */
@Kind(
    name = "deepsqueeze",
    summary = "error-compensated compression of the model, without replicas",
    paper =
        "Tang, Lian, Qiu, Yuan, Zhang, Zhang, Liu, DeepSqueeze: decentralization meets"
            + " error-compensated compression, 2019")
public final class DeepSqueeze implements Sharing {

  private final float eta;
  private final float[] parameters;
  private final float[] error;
  private final Exchange exchange;

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
    parameters = context.parameters();
    error = new float[parameters.length];
    exchange = Exchange.ofVectors(settings.compressor().create(context), parameters.length);
  }

  @Override
  public Continuity continuity() {
    return Continuity.ROUNDS;
  }

  @Override
  public Outgoing message(int round, Neighbourhood neighbours) {
    try (Workspace workspace = Workspace.borrow()) {
      for (int i = 0; i < parameters.length; i++) {
        error[i] += parameters[i];
      }
      Payload payload = exchange.send(error, workspace);
      exchange.addOwn(-1, error, workspace);
      return payload;
    }
  }

  @Override
  public void merge(Received received) {
    try (Workspace workspace = Workspace.borrow()) {
      float[] pull = exchange.weightedSum(received, workspace);
      exchange.addOwn(-1, pull, workspace);
      for (int i = 0; i < parameters.length; i++) {
        parameters[i] += eta * pull[i];
      }
      exchange.finish();
    }
  }
}

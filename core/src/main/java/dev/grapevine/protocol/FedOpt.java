package dev.grapevine.protocol;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.state.State;

/**
 * FedOpt: federated averaging whose server takes the clients' mean change Δ for a gradient and
 * steps along it adaptively:
 *
 * <pre>
 *   m ← β₁ m + (1 − β₁) Δ
 *   v ← v + Δ²                             adagrad
 *   v ← v − (1 − β₂) Δ² sign(v − Δ²)       yogi
 *   v ← β₂ v + (1 − β₂) Δ²                 adam
 *   x ← x + η m/(√v + τ)</pre>
 *
 * <p>No bias correction, as in the paper; m = v = 0 at first. The clients are those of {@link
 * FederatedLearning}; so are the messages. The server keeps two more vectors.
 */
@Kind(
    name = "fedopt",
    summary = "federated learning with an adaptive server: FedAdagrad, FedYogi, FedAdam",
    paper =
        "Reddi, Charles, Zaheer, Garrett, Rush, Konecny, Kumar, McMahan: Adaptive Federated"
            + " Optimization, ICLR 2021")
public final class FedOpt {

  private FedOpt() {}

  /** How the squares are remembered. */
  public enum Rule {
    ADAGRAD,
    YOGI,
    ADAM
  }

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("share of the clients that take part in a round, in (0, 1]") @Default("1.0")
          double fraction,
      @Doc("how much a client counts: by its samples, or all the same") @Default("samples")
          FederatedLearning.Weighting weighting,
      @Doc("how the squares of changes are remembered: adagrad, yogi or adam") @Default("adam")
          Rule rule,
      @Doc("η, the server's step, above 0") @Default("0.01") double rate,
      @Doc("β₁, decay of the mean change, from 0 to below 1") @Default("0.9") double beta1,
      @Doc("β₂, decay of the mean square, from 0 to below 1; not for adagrad") @Default("0.99")
          double beta2,
      @Doc("τ, keeps the quotient finite, above 0") @Default("1e-3") double tau) {

    public Settings {
      SettingException.require(
          rate > 0 && Double.isFinite(rate), "rate", "rate must be above 0: rate=" + rate);
      SettingException.require(
          beta1 >= 0 && beta1 < 1, "beta1", "beta1 must be at least 0 and below 1: beta1=" + beta1);
      SettingException.require(
          beta2 >= 0 && beta2 < 1, "beta2", "beta2 must be at least 0 and below 1: beta2=" + beta2);
      SettingException.require(
          tau > 0 && Double.isFinite(tau), "tau", "tau must be above 0: tau=" + tau);
    }
  }

  public static Protocol create(Settings settings, ProtocolContext context) {
    return new FederatedLearning(
        new FederatedLearning.Settings(settings.fraction(), settings.weighting(), 0, 0),
        context,
        (size, state) -> new Adaptive(settings, size, state));
  }

  private static final class Adaptive implements ServerMove {

    private final Settings settings;
    private final float[] mean;
    private final float[] square;

    Adaptive(Settings settings, int size, State state) {
      this.settings = settings;
      mean = state.floats("mean-change", size);
      square = state.floats("square", size);
    }

    @Override
    public void apply(float[] before, float[] global) {
      float beta1 = (float) settings.beta1();
      float rate = (float) settings.rate();
      float tau = (float) settings.tau();
      for (int i = 0; i < global.length; i++) {
        float change = global[i] - before[i];
        mean[i] = beta1 * mean[i] + (1 - beta1) * change;
        square[i] = square(square[i], change * change);
        global[i] = before[i] + rate * mean[i] / ((float) Math.sqrt(square[i]) + tau);
      }
    }

    private float square(float old, float fresh) {
      float beta2 = (float) settings.beta2();
      return switch (settings.rule()) {
        case ADAGRAD -> old + fresh;
        case YOGI -> old - (1 - beta2) * fresh * Math.signum(old - fresh);
        case ADAM -> beta2 * old + (1 - beta2) * fresh;
      };
    }
  }
}

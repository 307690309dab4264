package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.learning.Learner;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * DFedSAM: D-PSGD with sharpness-aware local steps. Each step takes the gradient where the loss of
 * its mini-batch ξ is worst nearby:
 *
 * <pre>  g₁ = g(y; ξ),   g₂ = g(y + ρ g₁/(‖g₁‖ + 10⁻¹²); ξ),   y ← y − γ g₂;</pre>
 *
 * <p>then models are mixed {@code mixes} times (multiple gossip steps, DFedSAM-MGS). With ρ = 0 and
 * one mix it is D-PSGD. Twice the gradients of D-PSGD and {@code mixes} exchanges a round; no more
 * vectors are kept.
 */
@Kind(
    name = "dfedsam",
    summary = "D-PSGD with sharpness-aware local steps, mixed once or more often a round",
    paper =
        "Shi, Shen, Wei, Sun, Yuan, Wang, Tao: Improving the Model Consistency of Decentralized"
            + " Federated Learning, ICML 2023")
public final class DFedSam implements InStep {

  /** No gradient is so small that its direction were lost in it. */
  private static final double TINY = 1e-12;

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("ρ, how far to look for a worse loss, at least 0") @Default("0.01") double rho,
      @Doc("how often models are mixed in a round, from 1 to 16") @Default("1") int mixes) {

    public Settings {
      SettingException.require(
          rho >= 0 && Double.isFinite(rho), "rho", "rho must not be negative: rho=" + rho);
      SettingException.require(
          mixes >= 1 && mixes <= 16, "mixes", "mixes must be from 1 to 16: mixes=" + mixes);
    }
  }

  private final Settings settings;

  public DFedSam(Settings settings) {
    this.settings = settings;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.first(
        Objections.unless(
            settings.mixes() == 1 || encoding.isMemoryless(),
            "it mixes several times a round, and the scheme remembers what it said; take full, or"
                + " protocol.mixes = 1"),
        InStep.super.objection(encoding, rule, topology));
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Learner learner = self.learner();
    List<Exchange> exchanges = new ArrayList<>(List.of(self.model()));
    while (exchanges.size() < settings.mixes()) {
      exchanges.add(self.exchange("mix-" + (exchanges.size() + 1), learner.parameters()));
    }
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train(() -> LocalSteps.run(learner, gradient -> sharpen(learner, gradient)));
      for (Exchange exchange : exchanges) {
        exchange.mix(round, self.neighbours(round));
      }
      self.evaluate(round);
    }
  }

  /** Replaces g₁ by g₂. */
  private void sharpen(Learner learner, float[] gradient) {
    double squares = 0;
    for (float value : gradient) {
      squares += (double) value * value;
    }
    float far = (float) (settings.rho() / (Math.sqrt(squares) + TINY));
    float[] worse = learner.parameters().clone();
    for (int i = 0; i < worse.length; i++) {
      worse[i] += far * gradient[i];
    }
    learner.gradientAt(worse, gradient);
  }
}

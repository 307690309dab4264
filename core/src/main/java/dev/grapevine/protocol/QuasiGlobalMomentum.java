package dev.grapevine.protocol;

import dev.grapevine.learning.Learner;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;

/**
 * QG-DSGDm: D-PSGD whose momentum follows how the <i>mixed</i> model moved, not the node's own
 * gradients, so that it does not run after the node's own data:
 *
 * <pre>
 *   m̂ = β m + g,   d = m̂, or g + β m̂ with Nesterov
 *   x(t+1) = W (x(t) − γ d)
 *   m ← μ m + (1 − μ) (x(t) − x(t+1))/γ</pre>
 *
 * <p>With several local steps γ is the sum of their rates. In a round whose rate is zero m stays.
 * Take an optimizer without momentum of its own. With β = 0 it is D-PSGD. One exchange a round;
 * each node keeps one more vector.
 */
@Kind(
    name = "qg-dsgdm",
    summary = "D-PSGD with momentum along the way of the mixed model (quasi-global momentum)",
    paper =
        "Lin, Karimireddy, Stich, Jaggi: Quasi-Global Momentum: Accelerating Decentralized Deep"
            + " Learning on Heterogeneous Data, ICML 2021")
public final class QuasiGlobalMomentum implements InStep {

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("β, share of the momentum in a step, from 0 to below 1") @Default("0.9") double momentum,
      @Doc("μ, share of the old momentum in the new, from 0 to below 1") @Default("0.9")
          double decay,
      @Doc("look ahead along the momentum") @Default("true") boolean nesterov) {

    public Settings {
      SettingException.require(
          momentum >= 0 && momentum < 1,
          "momentum",
          "momentum must be at least 0 and below 1: momentum=" + momentum);
      SettingException.require(
          decay >= 0 && decay < 1, "decay", "decay must be at least 0 and below 1: decay=" + decay);
    }
  }

  private final Settings settings;

  public QuasiGlobalMomentum(Settings settings) {
    this.settings = settings;
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Learner learner = self.learner();
    float[] parameters = learner.parameters();
    Momentum momentum = new Momentum(settings, self);
    float[] start = new float[parameters.length];
    double[] rates = new double[1];
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      System.arraycopy(parameters, 0, start, 0, start.length);
      rates[0] = 0;
      self.train(() ->
          LocalSteps.run(
              learner,
              gradient -> {
                rates[0] += learner.rate();
                momentum.addTo(gradient);
              }));
      self.mix(round);
      momentum.follow(start, parameters, rates[0]);
      self.evaluate(round);
    }
  }

  /** A node's m; other protocols may put it on top of theirs. */
  static final class Momentum {

    private final Settings settings;
    private final float[] momentum;

    Momentum(Settings settings, Node self) {
      this.settings = settings;
      momentum = self.state("momentum", self.learner().parameters().length);
    }

    /** Makes d of g. */
    void addTo(float[] gradient) {
      float beta = (float) settings.momentum();
      for (int i = 0; i < gradient.length; i++) {
        float ahead = beta * momentum[i] + gradient[i];
        gradient[i] = settings.nesterov() ? gradient[i] + beta * ahead : ahead;
      }
    }

    /** Learns from where a round has led; in one whose rate is zero m stays. */
    void follow(float[] start, float[] mixed, double rate) {
      if (rate == 0) {
        return;
      }
      float kept = (float) settings.decay();
      float fresh = (float) ((1 - settings.decay()) / rate);
      for (int i = 0; i < momentum.length; i++) {
        momentum[i] = kept * momentum[i] + fresh * (start[i] - mixed[i]);
      }
    }
  }
}

package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.learning.Learner;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/**
 * DecentLaM: momentum over what training <i>and mixing</i> change, which takes away the bias that
 * momentum adds to D-PSGD:
 *
 * <pre>  g̃ = (x − W (x − γ g))/γ,   m ← β m + g̃,   x ← x − γ m.</pre>
 *
 * <p>DSGDm, momentum over the node's own gradients, is D-PSGD with an optimizer that has momentum
 * and stops where D-PSGD with the step γ/(1 − β) stops; DecentLaM stops where D-PSGD with γ does.
 * With several local steps γ is the sum of their rates; in a round whose rate is zero models are
 * only mixed. One exchange a round; each node keeps one more vector.
 */
@Kind(
    name = "decentlam",
    summary = "D-PSGD with momentum that adds no bias where the nodes' data differ",
    paper =
        "Yuan, Chen, Huang, Zhang, Pan, Xu, Yin: DecentLaM: Decentralized Momentum SGD for"
            + " Large-Batch Deep Training, ICCV 2021")
public final class DecentLam implements InStep {

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("β, share of the last change that is kept, from 0 to below 1") @Default("0.9")
          double momentum) {

    public Settings {
      SettingException.require(
          momentum >= 0 && momentum < 1,
          "momentum",
          "momentum must be at least 0 and below 1: momentum=" + momentum);
    }
  }

  private final Settings settings;

  public DecentLam(Settings settings) {
    this.settings = settings;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.first(
        Objections.whole(encoding, "its momentum takes in how far mixing moves each coordinate"),
        InStep.super.objection(encoding, rule, topology));
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Learner learner = self.learner();
    float[] parameters = learner.parameters();
    float[] momentum = self.state("momentum", parameters.length);
    float[] start = new float[parameters.length];
    double[] rates = new double[1];
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      System.arraycopy(parameters, 0, start, 0, start.length);
      rates[0] = 0;
      self.train(() -> LocalSteps.run(learner, gradient -> rates[0] += learner.rate()));
      self.mix(round);
      if (rates[0] > 0) {
        accelerate(momentum, start, parameters, (float) rates[0]);
      }
      self.evaluate(round);
    }
  }

  private void accelerate(float[] momentum, float[] start, float[] mixed, float rate) {
    float kept = (float) settings.momentum();
    for (int i = 0; i < momentum.length; i++) {
      momentum[i] = kept * momentum[i] + (start[i] - mixed[i]) / rate;
      mixed[i] = start[i] - rate * momentum[i];
    }
  }
}

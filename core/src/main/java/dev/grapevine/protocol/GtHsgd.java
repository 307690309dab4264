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
import java.util.Optional;

/**
 * GT-HSGD: gradient tracking of a gradient with less noise. On one mini-batch ξ the gradient is
 * taken at the new and at the last model:
 *
 * <pre>
 *   v = g(x; ξ) + (1 − β) (v⁻ − g(x⁻; ξ))
 *   y ← W (y + v − v⁻),   x ← W (x − γ y),   v⁻ = y = 0 at first.</pre>
 *
 * <p>The first v is the mean over {@code first-batches} mini-batches. With β = 1 it is gradient
 * tracking in the order adapt-then-combine. A round is one mini-batch with two gradients and two
 * exchanges, of y and then of x; each node keeps three more vectors.
 */
@Kind(
    name = "gt-hsgd",
    summary = "gradient tracking with hybrid variance reduction",
    paper =
        "Xin, Khan, Kar: A Hybrid Variance-Reduced Method for Decentralized Stochastic Non-Convex"
            + " Optimization, ICML 2021")
public final class GtHsgd implements InStep {

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("β, how fast old gradients are forgotten, above 0 and at most 1") @Default("0.1")
          double beta,
      @Doc("mini-batches of the first gradient, at least 1") @Default("8") int firstBatches) {

    public Settings {
      SettingException.require(
          beta > 0 && beta <= 1, "beta", "beta must be above 0 and at most 1: beta=" + beta);
      SettingException.require(
          firstBatches >= 1,
          "first-batches",
          "first-batches must be at least 1: first-batches=" + firstBatches);
    }
  }

  private final Settings settings;

  public GtHsgd(Settings settings) {
    this.settings = settings;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.tracking(encoding, rule, topology);
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Learner learner = self.learner();
    int begin = self.state().holds("tracker") ? -1 : self.firstRound();
    float[] tracker = self.state("tracker", learner.parameters().length);
    float[] estimate = self.state("estimate", tracker.length);
    float[] previous = self.state("previous", tracker.length);
    Exchange trackers = self.exchange("tracker", tracker);
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      boolean first = round == begin;
      self.train(() -> track(learner, tracker, estimate, previous, first));
      trackers.mix(round, self.neighbours(round));
      self.compute(() -> {
        learner.apply(tracker.clone());
        return true;
      });
      self.mix(round);
      self.evaluate(round);
    }
  }

  /** Adds the change of v to the tracker and remembers v and x. */
  private double track(
      Learner learner, float[] tracker, float[] estimate, float[] previous, boolean first) {
    float[] fresh = new float[tracker.length];
    float[] old = new float[tracker.length];
    double loss;
    if (first) {
      loss = mean(learner, fresh);
    } else {
      loss = learner.gradient(fresh);
      learner.gradientAt(previous, old);
    }
    float kept = (float) (1 - settings.beta());
    for (int i = 0; i < tracker.length; i++) {
      float next = fresh[i] + (first ? 0 : kept * (estimate[i] - old[i]));
      tracker[i] += next - estimate[i];
      estimate[i] = next;
    }
    System.arraycopy(learner.parameters(), 0, previous, 0, previous.length);
    return loss;
  }

  private double mean(Learner learner, float[] mean) {
    float[] each = new float[mean.length];
    int count = settings.firstBatches();
    double loss = 0;
    for (int batch = 0; batch < count; batch++) {
      loss += learner.gradient(each);
      for (int i = 0; i < mean.length; i++) {
        mean[i] += each[i] / count;
      }
    }
    return loss / count;
  }
}

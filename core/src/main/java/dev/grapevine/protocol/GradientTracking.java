package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.learning.Learner;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/**
 * Gradient tracking: besides its model x every node mixes a tracker y that follows the average
 * gradient of all nodes, so that a constant step converges in spite of different data. Three forms
 * differ in what is mixed before it is used, with y(0) = g(x(0)):
 *
 * <pre>
 *   dsgt     x(t+1) = W (x(t) − γ y(t)),   y(t+1) = W y(t) + g(x(t+1)) − g(x(t))
 *   diging   x(t+1) = W x(t) − γ y(t),     y(t+1) = W y(t) + g(x(t+1)) − g(x(t))
 *   atc      x(t+1) = W (x(t) − γ y(t)),   y(t+1) = W (y(t) + g(x(t+1)) − g(x(t))).</pre>
 *
 * <p>DSGT is Pu and Nedić's (2021), DIGing that of Nedić, Olshevsky and Shi (2017), and the form
 * adapt-then-combine, Aug-DGM, that of Xu, Zhu, Soh and Xie (2015).
 *
 * <p>A round is one mini-batch and two exchanges, of x and of y; the optimizer turns y into a step.
 * Each node keeps two more vectors and sends twice what D-PSGD sends. The trackers of all nodes add
 * up to their last gradients.
 */
@Kind(
    name = "gradient-tracking",
    summary = "every node also tracks the average gradient of all nodes",
    paper =
        "Pu, Nedic: Distributed Stochastic Gradient Tracking Methods, Mathematical Programming 2021")
public final class GradientTracking implements InStep {

  /** What is mixed before it is used. */
  public enum Form {
    /** The model after its step; the tracker after it was used. */
    DSGT,
    /** The model before its step; the tracker after it was used. */
    DIGING,
    /** Adapt, then combine: both when they have just changed. */
    ATC
  }

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("what is mixed before it is used: dsgt, diging, or atc for adapt-then-combine")
          @Default("dsgt")
          Form form) {}

  private final Settings settings;

  public GradientTracking(Settings settings) {
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
    float[] tracker = self.state("tracker", self.learner().parameters().length);
    float[] gradient = self.state("gradient", tracker.length);
    Exchange trackers = self.exchange("tracker", tracker);
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      switch (settings.form()) {
        case DSGT -> {
          self.train(() -> {
            double loss = track(self.learner(), tracker, gradient);
            self.learner().apply(tracker.clone());
            return loss;
          });
          self.mix(round);
          trackers.mix(round, self.neighbours(round));
        }
        case DIGING -> {
          self.train(() -> track(self.learner(), tracker, gradient));
          self.mix(round);
          step(self, tracker);
          trackers.mix(round, self.neighbours(round));
        }
        case ATC -> {
          self.train(() -> track(self.learner(), tracker, gradient));
          if (round > 0) {
            trackers.mix(round, self.neighbours(round));
          }
          step(self, tracker);
          self.mix(round);
        }
      }
      self.evaluate(round);
    }
  }

  private static void step(Node self, float[] tracker) throws InterruptedException {
    self.compute(() -> {
      self.learner().apply(tracker.clone());
      return true;
    });
  }

  /** Adds the change of the gradient to the tracker. */
  static double track(Learner learner, float[] tracker, float[] gradient) {
    float[] fresh = new float[gradient.length];
    double loss = learner.gradient(fresh);
    for (int i = 0; i < tracker.length; i++) {
      tracker[i] += fresh[i] - gradient[i];
      gradient[i] = fresh[i];
    }
    return loss;
  }
}

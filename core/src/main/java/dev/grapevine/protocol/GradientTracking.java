package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.learning.Learner;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/**
 * Distributed stochastic gradient tracking (DSGT): besides its model x every node mixes a tracker y
 * that follows the average gradient of all nodes, so that a constant step converges in spite of
 * different data:
 *
 * <pre>
 *   x(t+1) = W (x(t) − γ y(t))
 *   y(t+1) = W y(t) + g(x(t+1)) − g(x(t)),   y(0) = g(x(0)).</pre>
 *
 * <p>DIGing (Nedić, Olshevsky, Shi 2017) differs in that it steps after mixing: x(t+1) = W x(t) − γ
 * y(t).
 *
 * <p>A round is one mini-batch and two exchanges, of x and of y; the optimizer turns y into a step.
 * Each node keeps two more vectors and sends twice what D-PSGD sends.
 */
@Kind(
    name = "gradient-tracking",
    summary = "every node also tracks the average gradient of all nodes",
    paper =
        "Pu, Nedic: Distributed Stochastic Gradient Tracking Methods, Mathematical Programming 2021")
public final class GradientTracking implements Protocol {

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.tracking(encoding, rule, topology);
  }

  @Override
  public void run(Node self) throws InterruptedException {
    float[] tracker = self.state("tracker", self.learner().parameters().length);
    float[] gradient = self.state("gradient", tracker.length);
    Exchange trackers = self.exchange("tracker", tracker);
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train(() -> track(self.learner(), tracker, gradient));
      self.mix(round);
      trackers.mix(round, self.neighbours(round));
      self.evaluate(round);
    }
  }

  /** Adds the change of the gradient to the tracker and steps along it. */
  private static double track(Learner learner, float[] tracker, float[] gradient) {
    float[] fresh = new float[gradient.length];
    double loss = learner.gradient(fresh);
    for (int i = 0; i < tracker.length; i++) {
      tracker[i] += fresh[i] - gradient[i];
      gradient[i] = fresh[i];
    }
    learner.apply(tracker);
    return loss;
  }
}

package dev.grapevine.protocol;

import dev.grapevine.message.Vectors;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Contribution;
import dev.grapevine.sharing.Received;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/**
 * Gradient tracking (DIGing with stochastic gradients): besides its model x every node mixes a
 * tracker y that follows the average gradient of all nodes, so that a constant step converges in
 * spite of different data:
 *
 * <pre>
 *   x(t+1) = W (x(t) − γ y(t))
 *   y(t+1) = W y(t) + g(x(t+1)) − g(x(t)),   y(0) = g(x(0)).</pre>
 *
 * <p>A round is one mini-batch and two exchanges, of x and of y; the optimizer turns y into a step.
 * Each node keeps two more vectors and sends twice what D-PSGD sends.
 */
@Kind(
    name = "gradient-tracking",
    summary = "every node also tracks the average gradient of all nodes",
    paper =
        "Nedic, Olshevsky, Shi: Achieving Geometric Convergence for Distributed Optimization, 2017")
public final class GradientTracking implements Protocol {

  @Override
  public Optional<String> objection(String sharing, Continuity continuity, Topology topology) {
    return Objections.ownEncoding(sharing, "models and gradients");
  }

  @Override
  public void run(Node self) throws InterruptedException {
    float[] tracker = new float[self.learner().parameters().length];
    float[] gradient = new float[tracker.length];
    for (int round = 0; round < self.rounds(); round++) {
      self.train(() -> track(self, tracker, gradient));
      Neighbourhood neighbours = self.neighbours(round);
      mix(self, neighbours, 2 * round, self.learner().parameters());
      mix(self, neighbours, 2 * round + 1, tracker);
      self.evaluate(round);
    }
  }

  /** Adds the change of the gradient to the tracker and steps along it. */
  private static void track(Node self, float[] tracker, float[] gradient) {
    float[] fresh = new float[gradient.length];
    self.learner().gradient(fresh);
    for (int i = 0; i < tracker.length; i++) {
      tracker[i] += fresh[i] - gradient[i];
      gradient[i] = fresh[i];
    }
    self.learner().apply(tracker);
  }

  private static void mix(Node self, Neighbourhood neighbours, int exchange, float[] vector)
      throws InterruptedException {
    self.send(neighbours, exchange, Vectors.payload(vector));
    Received received =
        Sound.open(
            self,
            self.receiveFrom(neighbours, exchange),
            contribution -> {
              Sound.requireVector(contribution.payload(), 0, vector.length);
              return contribution;
            });
    self.compute(() -> {
      float[] sum = new float[vector.length];
      for (int i = 0; i < sum.length; i++) {
        sum[i] = (float) received.selfWeight() * vector[i];
      }
      for (Contribution contribution : received.contributions()) {
        Vectors.addScaled(contribution.payload().buffer(), (float) contribution.weight(), sum);
      }
      System.arraycopy(sum, 0, vector, 0, sum.length);
      return sum;
    });
  }
}

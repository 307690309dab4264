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
 * K-GT: gradient tracking with K local steps, each corrected by what the node's gradients lack to
 * the average of all:
 *
 * <pre>
 *   y ← x;   K times: y ← y − γ (g(y) + c)
 *   z = (x − y)/(K γ),   x ← W y,   c ← c − z + W z.</pre>
 *
 * <p>The corrections of all nodes add up to zero. With K = 1 it is gradient tracking; with more,
 * tracking the uncorrected steps would be biased. Kγ is the sum of the steps' rates; in a round
 * whose rate is zero z is zero. Two exchanges a round, of y and of z; each node keeps two more
 * vectors.
 */
@Kind(
    name = "k-gt",
    summary = "gradient tracking that stays exact with several local steps",
    paper = "Liu, Lin, Koloskova, Stich: Decentralized Gradient Tracking with Local Steps, 2024")
public final class KGradientTracking implements InStep {

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
    float[] correction = self.state("correction", learner.parameters().length);
    float[] mean = self.state("mean-step", correction.length);
    Exchange means = self.exchange("mean-step", mean);
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train(() -> train(learner, correction, mean));
      self.mix(round);
      means.mix(round, self.neighbours(round));
      for (int i = 0; i < mean.length; i++) {
        correction[i] += mean[i];
      }
      self.evaluate(round);
    }
  }

  /** Leaves y in the parameters, z in {@code mean} and c − z in {@code correction}. */
  private static double train(Learner learner, float[] correction, float[] mean) {
    float[] start = learner.parameters().clone();
    double[] rates = new double[1];
    double loss =
        LocalSteps.run(
            learner,
            gradient -> {
              rates[0] += learner.rate();
              for (int i = 0; i < gradient.length; i++) {
                gradient[i] += correction[i];
              }
            });
    for (int i = 0; i < mean.length; i++) {
      mean[i] = rates[0] == 0 ? 0 : (float) ((start[i] - learner.parameters()[i]) / rates[0]);
      correction[i] -= mean[i];
    }
    return loss;
  }
}

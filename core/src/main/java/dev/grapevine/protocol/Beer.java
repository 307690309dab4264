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
 * BEER: gradient tracking over compressed messages. Model and tracker are both mixed through public
 * replicas, as CHOCO does it; H and G are those of x and v, γ_m is the scheme's step of mixing:
 *
 * <pre>
 *   x ← x + γ_m (W − I) H − η v,          H ← H + C(x − H)
 *   v ← v + γ_m (W − I) G + g(t+1) − g(t),   G ← G + C(v − G),   v(0) = g(0), H = G = 0.</pre>
 *
 * <p>The replicas are the sharing scheme's: take {@code sharing.kind = "choco"} with its {@code
 * gamma} and {@code compressor}. The trackers add up to the last gradients of all nodes. A round is
 * one mini-batch and two exchanges, none in the first round; each node keeps two more vectors, and
 * what the scheme keeps, twice.
 */
@Kind(
    name = "beer",
    summary = "gradient tracking with compressed messages (take sharing choco)",
    paper =
        "Zhao, Li, Li, Richtarik, Chi: BEER: Fast O(1/T) Rate for Decentralized Nonconvex"
            + " Optimization with Communication Compression, NeurIPS 2022")
public final class Beer implements InStep {

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
    // One who comes back begins among others who do not: they wait for what it says.
    boolean isAmongOthers = self.returns(self.id()) > 0;
    float[] tracker = self.state("tracker", learner.parameters().length);
    float[] gradient = self.state("gradient", tracker.length);
    Exchange trackers = self.exchange("tracker", tracker);
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      // The replicas start at zero and say nothing before the first round is over.
      if (round == begin) {
        self.compute(() -> GradientTracking.track(learner, tracker, gradient));
      }
      boolean speaks = round != begin || isAmongOthers;
      if (speaks) {
        self.mix(round);
      }
      float[] direction = tracker.clone();
      if (speaks) {
        trackers.mix(round, self.neighbours(round));
      }
      self.train(() -> {
        learner.apply(direction);
        return GradientTracking.track(learner, tracker, gradient);
      });
      self.evaluate(round);
    }
  }
}

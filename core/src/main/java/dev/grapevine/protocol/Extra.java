package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/**
 * EXTRA: mixing and training start from the same point, and what went before is taken off:
 *
 * <pre>
 *   x(1)   = W x(0) − γ g(0)
 *   x(t+1) = x(t) + W x(t) − W̃ x(t−1) − γ (g(t) − g(t−1)),   W̃ = (W + I)/2.</pre>
 *
 * <p>Exact for one local step a round and γ &lt; (1 + λ_min)/L. One exchange a round; each node
 * keeps one more vector, W̃ x(t−1) − γ g(t−1).
 */
@Kind(
    name = "extra",
    summary = "exact first-order method: mix and step from the same point, take off the last round",
    paper =
        "Shi, Ling, Wu, Yin: EXTRA: An Exact First-Order Algorithm for Decentralized Consensus"
            + " Optimization, 2015")
public final class Extra implements InStep {

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.exactMixing(encoding, rule);
  }

  @Override
  public Optional<String> objection(Topology topology) {
    return Objections.fixedNeighbours(topology);
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    float[] parameters = self.learner().parameters();
    int begin = self.state().holds("before") ? -1 : self.firstRound();
    float[] before = self.state("before", parameters.length);
    float[] start = new float[parameters.length];
    float[] step = new float[parameters.length];
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      boolean first = round == begin;
      self.train(() -> LocalSteps.apart(self.learner(), start, step));
      self.mix(round);
      for (int i = 0; i < parameters.length; i++) {
        float mixed = parameters[i];
        parameters[i] = first ? mixed + step[i] : start[i] + mixed + step[i] - before[i];
        before[i] = 0.5f * (start[i] + mixed) + step[i];
      }
      self.evaluate(round);
    }
  }
}

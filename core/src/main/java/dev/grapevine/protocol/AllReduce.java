package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.Arrays;
import java.util.Optional;

/**
 * All-reduce SGD: after every round all nodes have the mean of all models, as D-PSGD on a fully
 * connected graph would give it, for the bytes of two models:
 *
 * <pre>  x_i ← 1/n Σ_j (x_j + u_j),   u_j what training changed.</pre>
 *
 * <p>Each node answers for one n-th of the coordinates. It is sent everyone's values of them
 * (reduce-scatter), combines them by the experiment's rule of aggregation, and sends the outcome to
 * everyone (all-gather): 2 (n − 1)/n models sent by a node, as much as the ring algorithm sends, in
 * two steps. The topology is not used. Two exchanges a round; no vectors are kept. Where a node is
 * missing, its part of the coordinates stays unmixed in that round.
 */
@Kind(
    name = "all-reduce",
    summary = "all nodes average all models in every round; the baseline of all others",
    paper =
        "Patarasuk, Yuan: Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations, 2009")
public final class AllReduce implements Protocol {

  @Override
  public boolean usesSharing() {
    return false;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Optional.empty();
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    float[] parameters = self.learner().parameters();
    Exchange scatter =
        self.exchange("scatter", parameters, new Slices(parameters, self, Slices.Stage.SCATTER));
    Exchange gather =
        self.exchange("gather", parameters, new Slices(parameters, self, Slices.Stage.GATHER));
    Neighbourhood everyone = everyone(self);
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train();
      scatter.mix(round, everyone);
      gather.mix(round, everyone);
      self.evaluate(round);
    }
  }

  private static Neighbourhood everyone(Node self) {
    int[] others = new int[self.learners() - 1];
    for (int i = 0; i < others.length; i++) {
      others[i] = i < self.id() ? i : i + 1;
    }
    double weight = 1.0 / self.learners();
    double[] weights = new double[others.length];
    Arrays.fill(weights, weight);
    return new Neighbourhood(self.id(), others, others, weights, weight);
  }
}

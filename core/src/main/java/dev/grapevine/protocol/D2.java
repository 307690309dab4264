package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.learning.Learner;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/**
 * D²: decentralized SGD that stays exact when the nodes' data differ. With mixing matrix W, step γ
 * and stochastic gradients g,
 *
 * <pre>  x(t+1) = W (2 x(t) − x(t−1) − γ g(t) + γ g(t−1)),   x(1) = W (x(0) − γ g(0)).</pre>
 *
 * <p>What local training does to x stands in for −γ g. With one local step of SGD, with or without
 * momentum, and a constant rate the limit is exactly the optimum of all data. With K > 1 local
 * steps the nodes still agree, but on a point that is off by a distance of the order of K γ: each
 * correction speaks of the last round's steps, which were not all taken at the point where it
 * began.
 *
 * <p>Needs a symmetric W whose smallest eigenvalue is above −1/3, or it diverges; where it is not,
 * {@code lazy = true} in the topology's table mixes with (W + I)/2, and D² is exact diffusion
 * (Yuan, Ying, Zhao, Sayed 2018). Proved for a W that does not change. Each node keeps two more
 * vectors.
 */
@Kind(
    name = "d2",
    summary = "D-PSGD with a correction that cancels the differences between the nodes' data",
    paper = "Tang, Lian, Yan, Zhang, Liu: D2: Decentralized Training over Decentralized Data, 2018")
public final class D2 implements InStep {

  /** Below it the recursion 2λx(t) − λx(t−1) has a root outside the unit circle. */
  private static final double SMALLEST_EIGENVALUE = -1.0 / 3;

  private final Shared shared;

  public D2(ProtocolContext context) {
    shared = context.shared();
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.exactMixing(encoding, rule);
  }

  @Override
  public Optional<String> objection(Topology topology) {
    return Objections.first(
        Objections.fixedNeighbours(topology),
        Objections.smallestEigenvalue(SMALLEST_EIGENVALUE, topology, shared));
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    run(self, false, true);
  }

  /**
   * @param lazy whether models are mixed with (W + I)/2
   * @param mixesFirst whether they are mixed in round 0
   */
  static void run(Node self, boolean lazy, boolean mixesFirst) throws InterruptedException {
    Learner learner = self.learner();
    int begin = self.state().holds("previous") ? -1 : self.firstRound();
    // One who comes back begins among others who do not: they wait for what it says.
    boolean isAmongOthers = self.returns(self.id()) > 0;
    float[] previous = self.state("previous", learner.parameters().length);
    float[] previousStep = self.state("previous-step", previous.length);
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      boolean first = round == begin;
      self.train(() -> correctedStep(learner, previous, previousStep, first));
      if (!first || mixesFirst || isAmongOthers) {
        mix(self, round, lazy);
      }
      self.evaluate(round);
    }
  }

  /**
   * Half-way to the mixed model rather than with halved weights: as floats those may add up to a
   * little less than one, and the recursion would add up what is lacking, round after round.
   */
  private static void mix(Node self, int round, boolean lazy) throws InterruptedException {
    float[] parameters = self.learner().parameters();
    float[] own = lazy ? parameters.clone() : parameters;
    self.mix(round);
    for (int i = 0; i < parameters.length && lazy; i++) {
      parameters[i] = 0.5f * (own[i] + parameters[i]);
    }
  }

  /** Leaves 2 x(t) − x(t−1) + step(t) − step(t−1) in the parameters and remembers x(t), step(t). */
  private static double correctedStep(
      Learner learner, float[] previous, float[] previousStep, boolean first) {
    float[] parameters = learner.parameters();
    float[] start = parameters.clone();
    double loss = learner.train();
    for (int i = 0; i < parameters.length; i++) {
      float step = parameters[i] - start[i];
      if (!first) {
        parameters[i] += start[i] - previous[i] - previousStep[i];
      }
      previous[i] = start[i];
      previousStep[i] = step;
    }
    return loss;
  }
}

package dev.grapevine.protocol;

import dev.grapevine.learning.Learner;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/**
 * D²: decentralized SGD that stays exact when the nodes' data differ. With mixing matrix W, step γ
 * and stochastic gradients g,
 *
 * <pre>  x(t+1) = W (2 x(t) − x(t−1) − γ g(t) + γ g(t−1)),   x(1) = W (x(0) − γ g(0)).</pre>
 *
 * <p>What local training does to x stands in for −γ g, so any optimizer and any number of local
 * steps can be used. Needs a symmetric W whose smallest eigenvalue is above −1/3. Each node keeps
 * two more vectors.
 */
@Kind(
    name = "d2",
    summary = "D-PSGD with a correction that cancels the differences between the nodes' data",
    paper = "Tang, Lian, Yan, Zhang, Liu: D2: Decentralized Training over Decentralized Data, 2018")
public final class D2 implements Protocol {

  @Override
  public Optional<String> objection(String sharing, Continuity continuity, Topology topology) {
    return sharing.equals("full")
        ? Optional.empty()
        : Optional.of(
            "its correction is exact only when whole models are mixed; take sharing.kind ="
                + " \"full\"");
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Learner learner = self.learner();
    float[] parameters = learner.parameters();
    float[] previous = new float[parameters.length];
    float[] previousStep = new float[parameters.length];
    for (int round = 0; round < self.rounds(); round++) {
      boolean first = round == 0;
      self.train(() -> correctedStep(learner, previous, previousStep, first));
      Neighbourhood neighbours = self.neighbours(round);
      self.send(neighbours, round, self.sharing().message(round, neighbours));
      self.sharing().merge(self.receiveFrom(neighbours, round));
      self.evaluate(round);
    }
  }

  /** Leaves 2 x(t) − x(t−1) + step(t) − step(t−1) in the parameters and remembers x(t), step(t). */
  private static void correctedStep(
      Learner learner, float[] previous, float[] previousStep, boolean first) {
    float[] parameters = learner.parameters();
    float[] start = parameters.clone();
    learner.train();
    for (int i = 0; i < parameters.length; i++) {
      float step = parameters[i] - start[i];
      if (!first) {
        parameters[i] += start[i] - previous[i] - previousStep[i];
      }
      previous[i] = start[i];
      previousStep[i] = step;
    }
  }
}

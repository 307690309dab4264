package dev.grapevine.protocol;

import dev.grapevine.learning.Learner;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.message.Vectors;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Contribution;
import dev.grapevine.sharing.Received;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Stochastic gradient push: D-PSGD for directed graphs. Every node splits a biased model x and a
 * scalar weight w equally among itself and those it sends to, adds up what it gets, and trains at
 * the de-biased model z = x / w:
 *
 * <pre>
 *   x(t+½) = x(t) + (what training at z(t) changes)
 *   x(t+1) = Σ_j p_ij x_j(t+½),   w(t+1) = Σ_j p_ij w_j(t),   p_ij = 1 / (1 + out-degree of j).
 * </pre>
 *
 * <p>The sums of x and w over all nodes never change by mixing, whatever the graph, so z tends to
 * the average model. Each node keeps one more vector.
 */
@Kind(
    name = "push-sum",
    summary = "stochastic gradient push (SGP): averages correctly on directed graphs",
    paper =
        "Assran, Loizou, Ballas, Rabbat: Stochastic Gradient Push for Distributed Deep Learning, 2019")
public final class PushSum implements Protocol {

  @Override
  public Optional<String> objection(String sharing, Continuity continuity, Topology topology) {
    return Objections.ownEncoding(sharing, "biased models and their weights");
  }

  @Override
  public void run(Node self) throws InterruptedException {
    State state = new State(self.learner());
    for (int round = 0; round < self.rounds(); round++) {
      self.train(state::trainAtDebiased);
      Neighbourhood neighbours = self.neighbours(round);
      float share = 1f / (1 + neighbours.degree());
      self.send(neighbours, round, self.compute(() -> state.message(share)));
      Received received =
          Sound.open(
              self,
              self.receiveFrom(neighbours, round),
              contribution -> {
                Sound.requireVector(contribution.payload(), Float.BYTES, state.biased.length);
                return contribution;
              });
      self.compute(() -> state.add(received, share));
      self.record(round, "push_sum_weight", state.weight);
      self.evaluate(round);
    }
  }

  private static final class State {

    private final Learner learner;
    private final float[] biased;
    private float weight = 1;

    State(Learner learner) {
      this.learner = learner;
      this.biased = learner.parameters().clone();
    }

    void trainAtDebiased() {
      float[] debiased = learner.parameters();
      float[] start = debiased.clone();
      learner.train();
      for (int i = 0; i < biased.length; i++) {
        biased[i] += debiased[i] - start[i];
      }
    }

    Outgoing message(float share) {
      PayloadWriter out = new PayloadWriter(Float.BYTES * (1 + biased.length));
      out.beginMetadata();
      out.writeFloat(share * weight);
      out.endMetadata();
      float[] shared = biased.clone();
      for (int i = 0; i < shared.length; i++) {
        shared[i] *= share;
      }
      Vectors.write(shared, out);
      return out.finish();
    }

    float add(Received received, float share) {
      weight *= share;
      for (int i = 0; i < biased.length; i++) {
        biased[i] *= share;
      }
      for (Contribution contribution : received.contributions()) {
        ByteBuffer in = contribution.payload().buffer();
        weight += in.getFloat();
        Vectors.addScaled(in, 1, biased);
      }
      float[] debiased = learner.parameters();
      for (int i = 0; i < biased.length; i++) {
        debiased[i] = biased[i] / weight;
      }
      return weight;
    }
  }
}

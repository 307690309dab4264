package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.HashMap;
import java.util.Map;
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

  private final int delay;

  public PushSum() {
    this(0);
  }

  /**
   * @param delay how many rounds after its sending a part is added, see {@link OverlapSgp}
   */
  PushSum(int delay) {
    this.delay = delay;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.first(
        Objections.whole(
            encoding, "it splits its model among its peers and must lose no part of it"),
        Objections.unless(
            encoding.keepsMean() && rule.isLinear(),
            "it adds up the parts that it is sent; take sharing.kind = \"full\" and"
                + " aggregation.kind = \"weighted\""));
  }

  /** Parts that are under way for longer than a round are saved with their receivers. */
  @Override
  public boolean isInStep() {
    return delay == 0;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Sum sum = new Sum(self);
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train(sum::trainAtDebiased);
      sum.give(round);
      // Nobody leaves while parts are under way: in the end they all count.
      int last = round == self.rounds() - 1 ? round : round - delay;
      for (int sent = Math.max(0, round - delay); sent <= last; sent++) {
        sum.take(sent);
      }
      sum.debias();
      self.record(round, "push_sum_weight", sum.weight);
      self.evaluate(round);
    }
  }

  /** A node's part of the sums of x and w. */
  private static final class Sum {

    private final Node self;
    private final float[] biased;
    private final Exchange exchange;

    private float weight = 1;

    Sum(Node self) {
      this.self = self;
      biased = self.state().floats("biased", self.learner().parameters().clone());
      self.state()
          .value(
              "push-sum-weight",
              () -> Float.floatToRawIntBits(weight),
              saved -> weight = Float.intBitsToFloat((int) saved));
      exchange = self.exchange("biased", biased);
    }

    double trainAtDebiased() {
      float[] debiased = self.learner().parameters();
      float[] start = debiased.clone();
      double loss = self.learner().train();
      for (int i = 0; i < biased.length; i++) {
        biased[i] += debiased[i] - start[i];
      }
      return loss;
    }

    /** Keeps one part of x and w and gives the others away. */
    void give(int round) throws InterruptedException {
      // What is given to one who is gone would be lost to all.
      int[] receivers = Sample.present(self, self.neighbours(round).sendsTo());
      float share = 1f / (1 + receivers.length);
      weight *= share;
      for (int i = 0; i < biased.length; i++) {
        biased[i] *= share;
      }
      send(round, receivers, weight);
    }

    private void send(int round, int[] receivers, float weight) throws InterruptedException {
      int[] header = {Float.floatToRawIntBits(weight)};
      Neighbourhood to = Neighbourhood.sendingTo(self.id(), receivers);
      Outgoing part = exchange.encode(round, to);
      exchange.send(round, to, peer -> new Envelope(header, part.to(peer)).sealBare());
    }

    /** Adds what was sent to this node in a round. */
    void take(int round) throws InterruptedException {
      Map<Integer, Float> weights = new HashMap<>();
      Received parts =
          exchange
              .receive(round, self.neighbours(round))
              .opened(contribution -> open(contribution, weights), self::reject);
      for (int sender : exchange.combine(new Received(round, 1, parts.contributions()))) {
        weight += weights.getOrDefault(sender, 0f);
      }
    }

    void debias() {
      float[] debiased = self.learner().parameters();
      for (int i = 0; i < biased.length; i++) {
        debiased[i] = biased[i] / weight;
      }
    }

    private static Contribution open(Contribution contribution, Map<Integer, Float> weights) {
      Envelope envelope = Envelope.openBare(contribution.payload(), 1);
      float weight = Float.intBitsToFloat(envelope.header()[0]);
      if (!(weight > 0 && weight <= Float.MAX_VALUE)) {
        throw new MalformedPayloadException("not a weight: weight=" + weight);
      }
      weights.put(contribution.sender(), weight);
      return new Contribution(contribution.sender(), 1, envelope.content());
    }
  }
}

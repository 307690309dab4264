package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.learning.Learner;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Neighbourhood gradient clustering (NGC): nodes try their mini-batch on their neighbours' models
 * and tell them what they would have them do. With g_i(x) the gradient of node i's mini-batch at x,
 *
 * <pre>
 *   d_i = (1 − α) Σ_j w_ij g_i(x_j) + α Σ_j w_ij g_j(x_i)
 *   x_i ← Σ_j w_ij x_j − γ d_i,</pre>
 *
 * <p>both sums with the node's own gradient. The first needs the models only, which are exchanged
 * anyway; g_j(x_i) is sent back by neighbour j, and with α = 0 is not. Where neighbours all count
 * alike the sums are the plain means of the authors' program. On top comes the momentum of {@code
 * qg-dsgdm}; take an optimizer without one. A round is one mini-batch with 1 + d gradients and two
 * exchanges, or one; each node keeps one more vector, and for a while those of its neighbours.
 */
@Kind(
    name = "ngc",
    summary = "steps along gradients at the neighbours' models and of the neighbours' data",
    paper =
        "Aketi, Kodge, Roy: Neighborhood Gradient Clustering: An Efficient Decentralized Learning"
            + " Method for Non-IID Data Distributions, 2022")
public final class NeighbourhoodGradientClustering implements Protocol {

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("α, share of the gradients that neighbours send back, from 0 to 1") @Default("0.5")
          double alpha,
      @Doc("β, share of the momentum in a step, from 0 to below 1") @Default("0.9") double momentum,
      @Doc("μ, share of the old momentum in the new, from 0 to below 1") @Default("0.9")
          double decay,
      @Doc("look ahead along the momentum") @Default("true") boolean nesterov) {

    public Settings {
      SettingException.require(
          alpha >= 0 && alpha <= 1, "alpha", "alpha must be from 0 to 1: alpha=" + alpha);
      var unused = new QuasiGlobalMomentum.Settings(momentum, decay, nesterov);
    }
  }

  private final Settings settings;

  public NeighbourhoodGradientClustering(Settings settings) {
    this.settings = settings;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.first(
        Objections.whole(encoding, "it takes gradients at its neighbours' whole models"),
        Objections.unless(
            encoding.isMemoryless(),
            "it tells each neighbour something else, and the scheme remembers what it said; take"
                + " full"));
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Learner learner = self.learner();
    float[] parameters = learner.parameters();
    QuasiGlobalMomentum.Momentum momentum =
        new QuasiGlobalMomentum.Momentum(
            new QuasiGlobalMomentum.Settings(
                settings.momentum(), settings.decay(), settings.nesterov()),
            self);
    Cross cross = new Cross(self);
    float[] start = new float[parameters.length];
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      Neighbourhood neighbours = self.neighbours(round);
      System.arraycopy(parameters, 0, start, 0, start.length);
      self.model().send(round, neighbours, self.model().encode(round, neighbours));
      Received models = self.model().receive(round, neighbours);
      cross.read(models);
      self.train(cross::gradients);
      self.model().combine(models);
      float[] direction = cross.direction(round, neighbours);
      double rate = learner.rate();
      momentum.addTo(direction);
      self.compute(() -> {
        learner.apply(direction);
        return true;
      });
      momentum.follow(start, parameters, rate);
      self.evaluate(round);
    }
  }

  /**
   * A neighbour.
   *
   * @param vector its model, and then the gradient at it
   */
  private record Neighbour(int id, double weight, float[] vector) {}

  /** A node's gradients at its own and its neighbours' models. */
  private final class Cross {

    private final Node self;
    private final float[] own;
    private final float[] peers;
    private final Exchange reader;
    private final Exchange sender;
    private final List<Neighbour> heard = new ArrayList<>();

    Cross(Node self) {
      this.self = self;
      own = new float[self.learner().parameters().length];
      peers = new float[own.length];
      reader = self.exchange("neighbour", peers);
      sender = self.exchange("gradient", peers);
    }

    /** Takes each neighbour's model out of its message; one that makes no sense is left out. */
    void read(Received received) throws InterruptedException {
      heard.clear();
      for (Contribution each : received.contributions()) {
        Contribution alone = new Contribution(each.sender(), 1, each.payload());
        if (reader.combine(new Received(received.round(), 0, List.of(alone))).length == 1) {
          heard.add(new Neighbour(each.sender(), each.weight(), peers.clone()));
        }
      }
    }

    /** Replaces each neighbour's model by the gradient at it, of the same mini-batch. */
    double gradients() {
      double loss = self.learner().gradient(own);
      for (Neighbour each : heard) {
        self.learner().gradientAt(each.vector().clone(), each.vector());
      }
      return loss;
    }

    float[] direction(int round, Neighbourhood neighbours) throws InterruptedException {
      float[] direction = new float[own.length];
      double rest = 1 - settings.alpha();
      for (Neighbour each : heard) {
        double weight = (1 - settings.alpha()) * each.weight();
        add(each.vector(), weight, direction);
        rest -= weight;
      }
      // The node's own weight, and that of whoever did not speak.
      add(own, rest, direction);
      if (settings.alpha() > 0) {
        exchange(round, neighbours);
        add(peers, settings.alpha(), direction);
      }
      return direction;
    }

    /** Leaves the mean of what all would have this node do in {@code peers}. */
    private void exchange(int round, Neighbourhood neighbours) throws InterruptedException {
      int[] receivers = neighbours.sendsTo();
      Payload[] messages = new Payload[receivers.length];
      for (int i = 0; i < receivers.length; i++) {
        int receiver = receivers[i];
        // Whose model did not come is told the gradient at the node's own.
        float[] gradient =
            heard.stream()
                .filter(each -> each.id() == receiver)
                .map(Neighbour::vector)
                .findFirst()
                .orElse(own);
        System.arraycopy(gradient, 0, peers, 0, peers.length);
        Neighbourhood to = Neighbourhood.sendingTo(self.id(), receiver);
        messages[i] = sender.encode(round, to).to(receiver);
      }
      sender.send(round, neighbours, peer -> messages[Arrays.binarySearch(receivers, peer)]);
      System.arraycopy(own, 0, peers, 0, peers.length);
      sender.combine(sender.receive(round, neighbours));
    }

    private static void add(float[] values, double weight, float[] sum) {
      float factor = (float) weight;
      for (int i = 0; i < sum.length; i++) {
        sum[i] += factor * values[i];
      }
    }
  }
}

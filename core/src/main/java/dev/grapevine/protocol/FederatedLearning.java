package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Received;
import dev.grapevine.exchange.Senders;
import dev.grapevine.learning.Learner;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Federated averaging: in every round a server on a node of its own sends the model to a random
 * share of the clients, they train and send it back, and the server averages what came.
 *
 * <p>With {@code proximal} μ &gt; 0 the clients minimise their loss plus μ/2 ‖w − w_server‖²
 * (FedProx); with {@code momentum} β &gt; 0 the server moves by v ← β v + Δ, w ← w + v, where Δ is
 * the averaged change (FedAvgM). A client that stays silent for the fault policy's patience is left
 * out of the round. The server keeps the replies of one round, and one vector for its momentum.
 */
@Kind(
    name = "federated",
    summary = "federated learning: a server averages what sampled clients trained (FedAvg)",
    paper =
        "McMahan et al.: Communication-Efficient Learning of Deep Networks from Decentralized Data,"
            + " 2017; Li et al.: FedProx, 2020; Hsu et al.: FedAvgM, 2019")
public final class FederatedLearning implements Protocol {

  /** How much a client's model counts. */
  public enum Weighting {
    SAMPLES,
    UNIFORM
  }

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("share of the clients that take part in a round, in (0, 1]") @Default("1.0")
          double fraction,
      @Doc("how much a client counts: by its samples, or all the same") @Default("samples")
          Weighting weighting,
      @Doc("FedProx's μ, at least 0; 0 is FedAvg") @Default("0.0") double proximal,
      @Doc("the server's momentum β, in [0, 1); 0 is FedAvg") @Default("0.0") double momentum) {

    public Settings {
      SettingException.require(
          fraction > 0 && fraction <= 1,
          "fraction",
          "fraction must be above 0 and at most 1: fraction=" + fraction);
      SettingException.require(
          proximal >= 0, "proximal", "proximal must be at least 0: proximal=" + proximal);
      SettingException.require(
          momentum >= 0 && momentum < 1,
          "momentum",
          "momentum must be at least 0 and below 1: momentum=" + momentum);
    }
  }

  private static final int UPDATE = 2;
  private static final int END = 3;
  private static final int ALIVE = 4;
  private static final int SAMPLES = 6;
  private static final int TOLD = 7;

  /** A server may be silent longer while it opens a secret sum: two deadlines, and a little. */
  private static final int SECRET_PATIENCE = 3;

  private final Settings settings;
  private final int participants;
  private final ServerMove.Factory moves;

  public FederatedLearning(Settings settings, ProtocolContext context) {
    this(settings, context, (size, state) -> momentum(settings.momentum(), size, state));
  }

  /** Federated averaging by a server that makes something else of the clients' mean. */
  FederatedLearning(Settings settings, ProtocolContext context, ServerMove.Factory moves) {
    this.settings = settings;
    this.participants = (int) Math.ceil(settings.fraction() * context.learners());
    this.moves = moves;
  }

  @Override
  public Senders senders(Topology topology) {
    return new Senders.Told(participants);
  }

  @Override
  public int servers() {
    return 1;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.server(encoding);
  }

  @Override
  public void run(Node self) throws InterruptedException {
    if (self.id() < self.learners()) {
      runClient(self);
    } else {
      runServer(self);
    }
  }

  private void runServer(Node self) throws InterruptedException {
    float[] global = self.model().vector();
    ServerMove move = moves.create(global.length, self.state());
    Replies replies = new Replies(self, UPDATE, ALIVE);
    Downloads downloads = new Downloads(self);
    SecretUploads secret = self.model().isSecret() ? new SecretUploads(self) : null;
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      int[] clients = Sample.distinct(self.random(), self.learners(), participants);
      float[] before = move.isNone() ? global : global.clone();
      if (secret != null) {
        secret.collect(round, clients, downloads);
      } else {
        replies.expect(round, clients);
        downloads.send(round, clients);
        List<Message> updates = replies.collect();
        downloads.confirmed(updates);
        combine(self, round, updates);
      }
      move.apply(before, global);
      self.evaluate(round);
    }
    for (int client = 0; client < self.learners(); client++) {
      self.send(client, END, self.rounds(), Payload.empty());
    }
  }

  /**
   * A server that hears the weighted sum of its clients' models and nothing of each. It tells them
   * beforehand who else takes part and how much each counts; so it must know how many samples they
   * have, which they say once.
   */
  private final class SecretUploads {

    private final Node self;
    private final Told told;
    private final Map<Integer, Integer> samples = new HashMap<>();
    private boolean asked;

    SecretUploads(Node self) {
      this.self = self;
      this.told = new Told(self, TOLD);
      self.onMessage(
          SAMPLES,
          message ->
              samples.put(
                  message.sender(),
                  Math.max(0, Envelope.openBare(message.payload(), 1).header()[0])));
    }

    void collect(int round, int[] clients, Downloads downloads) throws InterruptedException {
      if (!asked && settings.weighting() == Weighting.SAMPLES) {
        self.await(
            () ->
                IntStream.range(0, self.learners())
                    .allMatch(client -> samples.containsKey(client) || self.isGone(client)),
            self.patience());
      }
      asked = true;
      Neighbourhood uploads = uploads(clients);
      told.tell(round, uploads);
      downloads.send(round, clients);
      self.model().mix(round, uploads, peer -> null);
    }

    private Neighbourhood uploads(int[] clients) {
      double[] weights = new double[clients.length];
      double total = 0;
      for (int i = 0; i < clients.length; i++) {
        weights[i] =
            settings.weighting() == Weighting.SAMPLES ? samples.getOrDefault(clients[i], 0) : 1;
        total += weights[i];
      }
      for (int i = 0; i < clients.length; i++) {
        weights[i] /= Math.max(total, Double.MIN_NORMAL);
      }
      return new Neighbourhood(self.id(), new int[0], clients, weights, 0);
    }
  }

  /** Leaves the clients' mean, or what else the rule makes of their models, in the server's. */
  private void combine(Node self, int round, List<Message> updates) throws InterruptedException {
    List<Contribution> models =
        Received.uniform(round, updates).opened(this::open, self::reject).contributions();
    double total = models.stream().mapToDouble(Contribution::weight).sum();
    if (total > 0) {
      self.model()
          .combine(
              new Received(
                  round,
                  0,
                  models.stream()
                      .map(each ->
                          new Contribution(each.sender(), each.weight() / total, each.payload()))
                      .toList()));
    }
  }

  private Contribution open(Contribution update) {
    Envelope envelope = Envelope.openBare(update.payload(), 1);
    int samples = envelope.header()[0];
    if (samples < 0) {
      throw new MalformedPayloadException("a negative number of samples: samples=" + samples);
    }
    double weight = settings.weighting() == Weighting.SAMPLES ? samples : 1;
    return new Contribution(update.sender(), weight, envelope.content());
  }

  private static ServerMove momentum(double momentum, int size, State state) {
    if (momentum == 0) {
      return ServerMove.NONE;
    }
    float kept = (float) momentum;
    float[] velocity = state.floats("velocity", size);
    return (before, global) -> {
      for (int i = 0; i < size; i++) {
        velocity[i] = kept * velocity[i] + (global[i] - before[i]);
        global[i] = before[i] + velocity[i];
      }
    };
  }

  private void runClient(Node self) throws InterruptedException {
    Learner learner = self.learner();
    boolean secret = self.model().isSecret();
    Requests requests =
        new Requests(self, Downloads.TAGS, END, ALIVE, secret ? SECRET_PATIENCE : 1);
    Told told = new Told(self, TOLD);
    if (secret && settings.weighting() == Weighting.SAMPLES) {
      int[] count = {learner.samples()};
      self.send(self.learners(), SAMPLES, 0, new Envelope(count, Payload.empty()).sealBare());
    }
    for (Message model = requests.next(); model != null; model = requests.next()) {
      Downloads.take(self, model);
      self.train(() ->
          settings.proximal() == 0
              ? learner.train()
              : LocalSteps.proximal(learner, settings.proximal()));
      if (secret) {
        self.model()
            .mix(
                model.round(),
                Neighbourhood.sendingTo(self.id(), model.sender()),
                told.await(model.round(), model.sender()));
        continue;
      }
      Payload trained =
          self.model()
              .encode(model.round(), Neighbourhood.sendingTo(self.id(), model.sender()))
              .to(model.sender());
      int[] header = {learner.samples()};
      self.send(model.sender(), UPDATE, model.round(), new Envelope(header, trained).sealBare());
    }
  }
}

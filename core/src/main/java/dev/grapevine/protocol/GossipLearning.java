package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Received;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.MessageBytes;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gossip learning: nodes train at their own pace and pass models to random neighbours. A model
 * carries its age, the number of local steps that went into it, and merging weighs by age:
 *
 * <pre>  x ← (a x + b y) / (a + b),   age ← max(a, b).</pre>
 *
 * <p>{@code push} sends the own model, {@code pull} asks for the other's, {@code push-pull} does
 * both. With {@code tokens} the push side follows a randomized token account: a node saves a token
 * each round that it stays silent, up to {@code capacity}, and spends saved tokens to answer news
 * at once, which spreads models faster for the same number of messages.
 */
@Kind(
    name = "gossip",
    summary = "gossip learning: push, pull or push-pull of models, merged by age",
    paper =
        "Ormandi, Hegedus, Jelasity: Gossip Learning with Linear Models on Fully Distributed Data,"
            + " 2013; Danner, Jelasity: Token Account Algorithms, 2018")
public final class GossipLearning implements Protocol {

  /** Who sends a model when two nodes meet. */
  public enum Direction {
    PUSH,
    PULL,
    PUSH_PULL
  }

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("who sends when two nodes meet") @Default("push") Direction direction,
      @Doc("whether pushes follow a token account") @Default("false") boolean tokens,
      @Doc("most tokens a node saves, at least 1") @Default("10") int capacity,
      @Doc("tokens from which a node also sends without news, from 1 to capacity") @Default("5")
          int proactiveFrom,
      @Doc("shortest time between the starts of two rounds") @Default("0 s") Duration period) {

    public Settings {
      SettingException.require(
          capacity >= 1, "capacity", "capacity must be at least 1: capacity=" + capacity);
      SettingException.require(
          proactiveFrom >= 1 && proactiveFrom <= capacity,
          "proactive-from",
          "proactive-from must be from 1 to capacity: proactive-from=%d, capacity=%d"
              .formatted(proactiveFrom, capacity));
      SettingException.require(
          !tokens || direction == Direction.PUSH,
          "tokens",
          "tokens go with direction = \"push\" only");
    }
  }

  private static final int MODEL = 1;
  private static final int REQUEST = 2;

  private final Settings settings;

  public GossipLearning(Settings settings) {
    this.settings = settings;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.asynchronous(encoding);
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Gossip gossip = new Gossip(self);
    self.onMessage(MODEL, gossip::arrived);
    self.onMessage(REQUEST, request -> gossip.push(request.sender()));
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      Duration next = self.time().plus(settings.period());
      self.train();
      gossip.publish(round);
      gossip.meet(round);
      Duration rest = next.minus(self.time());
      if (rest.isPositive()) {
        self.sleep(rest);
      }
      self.evaluate(round);
    }
  }

  private record Arrival(int sender, int age, Payload content) {}

  /** One node's part in the gossip. */
  private final class Gossip {

    private final Node self;
    private final List<Arrival> arrived = new ArrayList<>();
    private int age;
    private int account;
    private int round;
    private Payload published = Payload.empty();

    Gossip(Node self) {
      this.self = self;
      State state = self.state();
      state.values(
          "gossip",
          () -> new long[] {age, account, round},
          saved -> {
            age = (int) saved[0];
            account = (int) saved[1];
            round = (int) saved[2];
          });
      state.bytes(
          "arrived",
          () ->
              MessageBytes.write(
                  arrived.stream()
                      .map(each -> new Message(each.sender(), MODEL, each.age(), each.content()))
                      .toList()),
          saved ->
              MessageBytes.read(saved)
                  .forEach(each ->
                      arrived.add(new Arrival(each.sender(), each.round(), each.payload()))));
      state.bytes(
          "published",
          () -> MessageBytes.write(List.of(new Message(self.id(), MODEL, round, published))),
          saved -> published = MessageBytes.read(saved).getFirst().payload());
    }

    void arrived(Message message) throws InterruptedException {
      Envelope envelope = Envelope.open(message.payload());
      if (envelope.header().length != 1 || envelope.header()[0] < 0) {
        throw new MalformedPayloadException("a gossiped model without its age");
      }
      arrived.add(new Arrival(message.sender(), envelope.header()[0], envelope.content()));
      if (settings.tokens()) {
        spend(reactive());
      }
    }

    /** Merges what has come, in order of arrival, and makes the result what others get to see. */
    void publish(int round) throws InterruptedException {
      this.round = round;
      age += self.learner().stepsPerRound();
      List<Arrival> models = List.copyOf(arrived);
      arrived.clear();
      for (Arrival model : models) {
        merge(round, model);
      }
      if (models.isEmpty()) {
        self.model().combine(new Received(round, 1, List.of()));
      }
      self.record(round, "models_received", models.size());
      self.record(round, "age", age);
      Payload model = self.model().encode(round, Neighbourhood.sendingTo(self.id())).to(self.id());
      published = new Envelope(new int[] {age}, model).seal();
    }

    private void merge(int round, Arrival model) throws InterruptedException {
      double weight =
          age + model.age() == 0 ? 0.5 : (double) model.age() / ((double) age + model.age());
      self.model()
          .combine(
              new Received(
                  round,
                  1 - weight,
                  List.of(new Contribution(model.sender(), weight, model.content()))));
      age = Math.max(age, model.age());
    }

    void meet(int round) throws InterruptedException {
      if (settings.tokens()) {
        if (self.random().nextDouble() < proactive()) {
          push(randomPeer(round));
        } else {
          account = Math.min(settings.capacity(), account + 1);
        }
        return;
      }
      int peer = randomPeer(round);
      if (settings.direction() != Direction.PULL) {
        push(peer);
      }
      if (settings.direction() != Direction.PUSH && peer >= 0) {
        self.send(peer, REQUEST, round, Payload.empty());
      }
    }

    void push(int peer) throws InterruptedException {
      if (peer >= 0 && published.size() > 0) {
        self.send(peer, MODEL, round, published);
      }
    }

    private void spend(int tokens) throws InterruptedException {
      for (int i = 0; i < tokens; i++) {
        account--;
        push(randomPeer(round));
      }
    }

    /** Chance of sending without news: 0 below the threshold, rising to 1 at a full account. */
    private double proactive() {
      int threshold = settings.proactiveFrom() - 1;
      return Math.clamp(
          (double) (account - threshold) / (settings.capacity() - threshold), 0.0, 1.0);
    }

    /** How many tokens news is worth: a share of the account, rounded at random. */
    private int reactive() {
      double wanted = (double) account / settings.proactiveFrom();
      int whole = (int) wanted;
      return Math.min(account, self.random().nextDouble() < wanted - whole ? whole + 1 : whole);
    }

    private int randomPeer(int round) {
      int[] peers = Sample.present(self, self.neighbours(round).sendsTo());
      return peers.length == 0 ? -1 : peers[self.random().nextInt(peers.length)];
    }
  }
}

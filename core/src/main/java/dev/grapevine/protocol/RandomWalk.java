package dev.grapevine.protocol;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Asynchronous learning by random walks. After training, a node averages all models that have come
 * to it, each counting as much as its own, and with probability {@code probability} starts a walk
 * with its model: to a random neighbour, which queues it and, while it has fuel, passes it on to a
 * neighbour that the walk has not visited. Receiving and passing on happen while the node trains.
 *
 * <p>To keep fast nodes from running ahead, a node waits after training for a time that grows while
 * the models it gets are of earlier rounds than its own and shrinks otherwise, so that the mean lag
 * tends to zero.
 *
 * <p>With full sharing this is Algorithm 12 of the JWINS++ thesis, with JWINS++ its Algorithm 13.
 */
@Kind(
    name = "random-walk",
    summary = "models walk from node to node while everyone trains at its own pace",
    paper = "JWINS++ thesis, 2022, section 6.1, Algorithms 12 and 13")
public final class RandomWalk implements Protocol {

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("hops of a walk beyond the first, at least 0") @Default("3") int fuel,
      @Doc("chance that a node starts a walk after a round, in [0, 1]") @Default("1.0")
          double probability,
      @Doc("wait after training so that the mean lag tends to zero") @Default("true")
          boolean adaptive,
      @Doc("the longest such wait") @Default("10 s") Duration longestWait) {

    public Settings {
      SettingException.require(fuel >= 0, "fuel", "fuel must be at least 0: fuel=" + fuel);
      SettingException.require(
          probability >= 0 && probability <= 1,
          "probability",
          "probability must be from 0 to 1: probability=" + probability);
      SettingException.require(
          !longestWait.isNegative(),
          "longest-wait",
          "longest-wait must not be negative: longest-wait=" + longestWait);
    }
  }

  private static final int WALK = 1;

  private final Settings settings;

  public RandomWalk(Settings settings) {
    this.settings = settings;
  }

  @Override
  public Optional<String> objection(String sharing, Continuity continuity, Topology topology) {
    return Objections.asynchronous(continuity);
  }

  @Override
  public void run(Node self) throws InterruptedException {
    List<Message> arrived = new ArrayList<>();
    self.onMessage(WALK, walk -> receive(self, walk, arrived));
    Pace pace = new Pace(settings.longestWait());
    for (int round = 0; round < self.rounds(); round++) {
      Duration began = self.time();
      self.train();
      Duration training = self.time().minus(began);
      if (settings.adaptive()) {
        self.sleep(pace.pause());
      }
      List<Message> models = List.copyOf(arrived);
      arrived.clear();
      pace.learn(round, models, training);
      self.record(round, "models_received", models.size());
      self.record(round, "lag", pace.lag());
      self.sharing().merge(Mix.uniform(round, models));
      if (self.random().nextDouble() < settings.probability()) {
        start(self, round);
      }
      self.evaluate(round);
    }
  }

  private void start(Node self, int round) throws InterruptedException {
    int[] peers = self.neighbours(round).sendsTo();
    if (peers.length == 0) {
      return;
    }
    int peer = peers[self.random().nextInt(peers.length)];
    Payload model = self.sharing().message(round, Mix.sendingTo(self, peer)).to(peer);
    int[] header = {settings.fuel(), self.id()};
    self.send(peer, WALK, round, new Envelope(header, model).seal());
  }

  /** Queues a model and passes it on; the header is the fuel left, then the nodes visited. */
  private static void receive(Node self, Message walk, List<Message> arrived)
      throws InterruptedException {
    Envelope envelope = Envelope.open(walk.payload());
    int[] header = envelope.header();
    if (header.length < 2 || header[1] < 0 || header[1] >= self.learners()) {
      throw new MalformedPayloadException("a walk without an origin");
    }
    arrived.add(new Message(header[1], WALK, walk.round(), envelope.content()));
    if (header[0] > 0) {
      int[] next = Arrays.copyOf(header, header.length + 1);
      next[0]--;
      next[header.length] = self.id();
      int peer = unvisited(self, walk.round(), next);
      if (peer >= 0) {
        self.send(peer, WALK, walk.round(), new Envelope(next, envelope.content()).seal());
      }
    }
  }

  /** A random neighbour that the walk has not been to, or -1. */
  private static int unvisited(Node self, int round, int[] header) {
    int[] candidates =
        Arrays.stream(self.neighbours(round).sendsTo())
            .filter(peer -> Arrays.stream(header).skip(1).noneMatch(visited -> visited == peer))
            .toArray();
    return candidates.length == 0 ? -1 : candidates[self.random().nextInt(candidates.length)];
  }

  /** How long to wait so that a node neither leads nor trails the models it gets. */
  private static final class Pace {

    private static final double GAIN = 0.25;

    private final Duration longest;
    private Duration wait = Duration.ZERO;
    private double lag;

    Pace(Duration longest) {
      this.longest = longest;
    }

    Duration pause() {
      return wait;
    }

    /** Mean of (own round − round of the model) over the last models; positive when ahead. */
    double lag() {
      return lag;
    }

    void learn(int round, List<Message> models, Duration training) {
      if (models.isEmpty()) {
        return;
      }
      lag = models.stream().mapToInt(model -> round - model.round()).average().orElse(0);
      long nanos = wait.toNanos() + Math.round(GAIN * lag * training.toNanos());
      wait = Duration.ofNanos(Math.clamp(nanos, 0, longest.toNanos()));
    }
  }
}

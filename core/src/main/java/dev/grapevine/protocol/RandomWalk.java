package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
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
import dev.grapevine.topology.Neighbourhood;
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
 * it is ahead of those whose models come to it and shrinks while it is behind. See {@link Pace} for
 * how that is measured.
 *
 * <p>The synchronous variant is D-PSGD with walks beside it (the thesis's section 3.3.8): models
 * are mixed with all neighbours first, and what walks brought is averaged in afterwards.
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
      @Doc("wait after training while the node is ahead of the models that come to it")
          @Default("true")
          boolean adaptive,
      @Doc("the longest such wait") @Default("10 s") Duration longestWait,
      @Doc("mix with all neighbours in step as well, as d-psgd does; nobody waits otherwise")
          @Default("false")
          boolean synchronous) {

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
  private static final int ORIGIN = 2;
  private static final int THOUSAND = 1000;

  private final Settings settings;

  public RandomWalk(Settings settings) {
    this.settings = settings;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.asynchronous(encoding);
  }

  @Override
  public void run(Node self) throws InterruptedException {
    List<Message> arrived = new ArrayList<>();
    self.state()
        .bytes(
            "arrived",
            () -> MessageBytes.write(arrived),
            saved -> arrived.addAll(MessageBytes.read(saved)));
    Pace pace = new Pace(self.state("pace", Pace.STATE), settings.longestWait());
    pace.done = self.firstRound();
    self.onMessage(WALK, walk -> receive(self, walk, arrived, pace));
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      Duration began = self.time();
      self.train();
      Duration training = self.time().minus(began);
      if (settings.synchronous()) {
        self.mix(round);
      } else if (settings.adaptive()) {
        Duration wait = pace.pause(training);
        self.record(round, "pace_wait", wait.toNanos() / 1e9);
        self.sleep(wait);
      }
      List<Message> models = List.copyOf(arrived);
      arrived.clear();
      pace.learn();
      self.record(round, "models_received", models.size());
      self.record(round, "lag", pace.lag());
      self.model().combine(Received.uniform(round, models));
      pace.done = round + 1;
      if (self.random().nextDouble() < settings.probability()) {
        start(self, round, pace);
      }
      self.evaluate(round);
    }
  }

  private void start(Node self, int round, Pace pace) throws InterruptedException {
    int[] peers = Sample.present(self, self.neighbours(round).sendsTo());
    if (peers.length == 0) {
      return;
    }
    int peer = peers[self.random().nextInt(peers.length)];
    Payload model = self.model().encode(round, Neighbourhood.sendingTo(self.id(), peer)).to(peer);
    int[] header = {settings.fuel(), Math.round(pace.lead() * THOUSAND), self.id()};
    self.send(peer, WALK, round, new Envelope(header, model).seal());
  }

  /**
   * Queues a model and passes it on; the header is the fuel left, the origin's lead in thousandths
   * of a round, then the nodes visited.
   */
  private static void receive(Node self, Message walk, List<Message> arrived, Pace pace)
      throws InterruptedException {
    Envelope envelope = Envelope.open(walk.payload());
    int[] header = envelope.header();
    if (header.length <= ORIGIN || header[ORIGIN] < 0 || header[ORIGIN] >= self.learners()) {
      throw new MalformedPayloadException("a walk without an origin");
    }
    arrived.add(new Message(header[ORIGIN], WALK, walk.round(), envelope.content()));
    pace.hear(walk.round() + 1, header[1] / (float) THOUSAND);
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
        Arrays.stream(Sample.present(self, self.neighbours(round).sendsTo()))
            .filter(
                peer -> Arrays.stream(header).skip(ORIGIN).noneMatch(visited -> visited == peer))
            .toArray();
    return candidates.length == 0 ? -1 : candidates[self.random().nextInt(candidates.length)];
  }

  /**
   * How long to wait so that a node neither leads nor trails those it hears from.
   *
   * <p>When a model comes, its origin had finished a round more than the model's; how many more the
   * node itself has finished is its lead over it. All leads are too large by the time that models
   * travel, alike for all: a wait driven by them alone would grow for ever on all nodes. So models
   * bring their origin's mean lead along, and the lag that counts is half the difference between a
   * node's own mean lead and that of the others, in which the travel time cancels. A wait of
   * proportional and integral terms drives it towards zero; the integral leaks, so that nobody goes
   * on waiting for a node that is gone.
   */
  private static final class Pace {

    static final int STATE = 6;

    private static final float SMOOTHING = 0.5f;
    private static final float PROPORTIONAL = 0.5f;
    private static final float INTEGRAL = 0.1f;
    private static final float LEAK = 0.01f;
    private static final int LEAD = 0;
    private static final int OTHERS = 1;
    private static final int SUM = 2;

    /** How many models came since the last time, and the sums of both leads over them. */
    private static final int HEARD = 3;

    private static final int LEADS = 4;
    private static final int OTHERS_LEADS = 5;

    private final float[] state;
    private final Duration longest;
    private int done;

    Pace(float[] state, Duration longest) {
      this.state = state;
      this.longest = longest;
    }

    /** A model came from a node that had finished so many rounds and led by so much. */
    void hear(int rounds, float lead) {
      state[HEARD]++;
      state[LEADS] += done - rounds;
      state[OTHERS_LEADS] += lead;
    }

    float lead() {
      return state[LEAD];
    }

    /** By how many rounds the node is ahead of the others; negative when it is behind. */
    double lag() {
      return (state[LEAD] - state[OTHERS]) / 2;
    }

    /** Takes in what was heard since the last time. */
    void learn() {
      float heard = state[HEARD];
      if (heard > 0) {
        state[LEAD] += SMOOTHING * (state[LEADS] / heard - state[LEAD]);
        state[OTHERS] += SMOOTHING * (state[OTHERS_LEADS] / heard - state[OTHERS]);
      }
      Arrays.fill(state, HEARD, STATE, 0);
      float sum = (1 - LEAK) * state[SUM] + INTEGRAL * (float) lag();
      state[SUM] = Math.max(0, sum);
    }

    Duration pause(Duration training) {
      double rounds = PROPORTIONAL * lag() + state[SUM];
      long nanos = Math.round(rounds * training.toNanos());
      return Duration.ofNanos(Math.clamp(nanos, 0, longest.toNanos()));
    }
  }
}

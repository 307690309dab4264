package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.exchange.Senders;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Outgoing;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * D-PSGD on a graph that the nodes change as they go. Every {@code advertise-every} rounds a node
 * sends an advertisement on a random walk; the node where its fuel runs out asks the advertiser for
 * a link (hello). A node that has as many links as it may tries to part with a random neighbour
 * (bye), which refuses (no-bye) if that would leave it too few.
 *
 * <p>Two nodes may be in different rounds when they agree. A hello and a bye carry the asker's
 * round and the answer the round from which, or until which, the link counts, never one that either
 * side has passed; the asker does not start its next round before it has the answer. When two nodes
 * say hello or bye to each other at once, both agree and both come to the same round, in whatever
 * order and however often messages arrive: asking for what is agreed already only gets the round
 * again. In the thesis a node that is behind answers only when it has caught up; here it answers at
 * once with the later round, which comes to the same and blocks nobody.
 *
 * <p>The first links are those of the table {@code [topology]}. Messages carry the sender's degree,
 * from which come Metropolis-Hastings weights.
 */
@Kind(
    name = "dynamic-graph",
    summary = "D-PSGD whose links come and go: random-walk advertisements, hello, bye, no-bye",
    paper = "JWINS++ thesis, 2022, section 6.2 and TCPRandomWalkRouting in section 3.3.1")
public final class DynamicGraph implements Protocol {

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("rounds between two advertisements of a node, at least 1") @Default("10")
          int advertiseEvery,
      @Doc("hops of an advertisement, at least 1") @Default("4") int fuel,
      @Doc("fewest links that a node keeps, at least 1") @Default("3") int lower,
      @Doc("most links that a node has, at least lower") @Default("5") int upper) {

    public Settings {
      SettingException.require(
          advertiseEvery >= 1,
          "advertise-every",
          "advertise-every must be at least 1: advertise-every=" + advertiseEvery);
      SettingException.require(fuel >= 1, "fuel", "fuel must be at least 1: fuel=" + fuel);
      SettingException.require(lower >= 1, "lower", "lower must be at least 1: lower=" + lower);
      SettingException.require(
          upper >= lower,
          "upper",
          "upper must not be below lower: lower=%d, upper=%d".formatted(lower, upper));
    }
  }

  private static final int ADVERTISEMENT = 1;
  private static final int HELLO = 2;
  private static final int HELLO_ANSWER = 3;
  private static final int NO_HELLO = 4;
  private static final int BYE = 5;
  private static final int BYE_ANSWER = 6;
  private static final int NO_BYE = 7;
  private static final int DONE = 8;
  private static final int DEGREE = 9;
  private static final int TOLD = 10;

  private final Settings settings;

  public DynamicGraph(Settings settings, ProtocolContext context) {
    this.settings = settings;
    if (context.node() < context.learners()) {
      int degree = context.topology().neighbours(context.node(), 0).degree();
      SettingException.require(
          degree >= settings.lower() && degree <= settings.upper(),
          degree < settings.lower() ? "lower" : "upper",
          "the topology gives node %d a degree outside the bounds: degree=%d, lower=%d, upper=%d"
              .formatted(context.node(), degree, settings.lower(), settings.upper()));
    }
  }

  @Override
  public Senders senders(Topology topology) {
    return new Senders.Told(settings.upper());
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.changingNeighbours(encoding);
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Member member = new Member(self);
    Degrees degrees = new Degrees(self);
    Barrier end = new Barrier(self, DONE);
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      if (round > 0) {
        member.change();
      }
      member.begin(round);
      self.train();
      Neighbourhood neighbours = member.neighbours();
      self.record(round, "degree", neighbours.degree());
      if (self.model().isSecret()) {
        degrees.mix(round, neighbours);
      } else {
        mix(self, round, neighbours);
      }
      self.evaluate(round);
    }
    member.change();
    end.pass();
  }

  private static void mix(Node self, int round, Neighbourhood neighbours)
      throws InterruptedException {
    Exchange model = self.model();
    Outgoing content = model.encode(round, neighbours);
    int[] header = {neighbours.degree()};
    model.send(round, neighbours, peer -> new Envelope(header, content.to(peer)).seal());
    model.combine(weighted(self, model.receive(round, neighbours), neighbours.degree()));
  }

  /**
   * Where sums are secret, weights must be known before models are sent: neighbours first tell each
   * other their degrees, and then who sends to them.
   */
  private static final class Degrees {

    private final Node self;
    private final Told told;
    private final Map<Integer, Map<Integer, Integer>> byRound = new HashMap<>();

    Degrees(Node self) {
      this.self = self;
      this.told = new Told(self, TOLD);
      self.onMessage(
          DEGREE,
          message ->
              byRound
                  .computeIfAbsent(message.round(), none -> new HashMap<>())
                  .put(message.sender(), Envelope.openBare(message.payload(), 1).header()[0]));
    }

    void mix(int round, Neighbourhood unweighted) throws InterruptedException {
      int[] peers = unweighted.sendsTo();
      int[] own = {peers.length};
      Payload degree = new Envelope(own, Payload.empty()).sealBare();
      for (int peer : peers) {
        self.send(peer, DEGREE, round, degree);
      }
      byRound.keySet().removeIf(past -> past < round);
      Map<Integer, Integer> degrees = byRound.computeIfAbsent(round, none -> new HashMap<>());
      self.await(
          () ->
              Arrays.stream(peers).allMatch(peer -> degrees.containsKey(peer) || self.isGone(peer)),
          self.patience());
      double[] weights = new double[peers.length];
      double selfWeight = 1;
      for (int i = 0; i < peers.length; i++) {
        double other = degrees.getOrDefault(peers[i], peers.length);
        weights[i] = 1 / (1 + Math.max(peers.length, other));
        selfWeight -= weights[i];
      }
      Neighbourhood neighbours =
          new Neighbourhood(self.id(), peers, peers, weights, Math.max(0, selfWeight));
      told.tell(round, neighbours);
      self.model().mix(round, neighbours, told.await(round, peers));
    }
  }

  /** Metropolis-Hastings weights from the degrees that came with the models. */
  private static Received weighted(Node self, Received received, int degree) {
    return received.opened(
        contribution -> {
          Envelope envelope = Envelope.open(contribution.payload());
          if (envelope.header().length != 1 || envelope.header()[0] < 0) {
            throw new MalformedPayloadException("a model without its sender's degree");
          }
          double weight = 1.0 / (1 + Math.max(degree, (double) envelope.header()[0]));
          return new Contribution(contribution.sender(), weight, envelope.content());
        },
        self::reject);
  }

  /** One node's links and its part in changing them. */
  private final class Member {

    private final Node self;
    private final Links links = new Links();
    private final List<Integer> wantsLink = new ArrayList<>();

    /**
     * In which round each peer asked last. A node asks once a round at most: what is older came
     * twice.
     */
    private final Map<Integer, Integer> helloFrom = new HashMap<>();

    private final Map<Integer, Integer> byeFrom = new HashMap<>();

    /** From which round on the newest link to each peer counts, or counted. */
    private final Map<Integer, Integer> joined = new HashMap<>();

    private int round;
    private int asked = -1;
    private boolean askedBye;

    Member(Node self) {
      this.self = self;
      State state = self.state();
      if (!state.holds("links")) {
        for (int peer : self.neighbours(0).sendsTo()) {
          links.add(peer, 0);
        }
        round = Math.max(0, self.firstRound() - 1);
      }
      state.values("links", links::toLongs, links::restore);
      state.values(
          "wants-link",
          () -> wantsLink.stream().mapToLong(Integer::longValue).toArray(),
          saved -> Arrays.stream(saved).forEach(peer -> wantsLink.add((int) peer)));
      state.value("dynamic-round", () -> round, saved -> round = (int) saved);
      self.onMessage(ADVERTISEMENT, this::advertised);
      self.onMessage(HELLO, this::hello);
      self.onMessage(HELLO_ANSWER, this::helloAnswered);
      self.onMessage(NO_HELLO, refusal -> refused(refusal, false));
      self.onMessage(BYE, this::bye);
      self.onMessage(BYE_ANSWER, this::byeAnswered);
      self.onMessage(NO_BYE, refusal -> refused(refusal, true));
    }

    void begin(int round) {
      this.round = round;
    }

    Neighbourhood neighbours() {
      int[] peers = links.at(round);
      return new Neighbourhood(self.id(), peers, peers, new double[peers.length], 1);
    }

    /** Between two rounds: advertise, take up one advertisement, part if there are too many. */
    void change() throws InterruptedException {
      links.forgetBefore(round);
      if (round + 1 == self.rounds()) {
        round = self.rounds();
        return;
      }
      if (round % settings.advertiseEvery() == 0) {
        advertise(settings.fuel() - 1, self.id(), self.id());
      }
      takeUpAdvertisement();
      if (links.size() >= settings.upper() && links.lasting(round + 1) > settings.lower()) {
        int[] peers = links.keptAt(round);
        ask(BYE, peers[self.random().nextInt(peers.length)]);
      }
    }

    private void takeUpAdvertisement() throws InterruptedException {
      while (!wantsLink.isEmpty()) {
        int peer = wantsLink.removeFirst();
        if (links.size() < settings.upper() && !links.knows(peer)) {
          ask(HELLO, peer);
          return;
        }
      }
    }

    private void ask(int what, int peer) throws InterruptedException {
      asked = peer;
      askedBye = what == BYE;
      self.send(peer, what, round, Payload.empty());
      self.await(() -> asked < 0 || self.isGone(peer), self.patience());
      asked = -1;
    }

    /** Passes an advertisement on to a random neighbour but the one it came from. */
    private void advertise(int fuel, int origin, int from) throws InterruptedException {
      List<Integer> peers = new ArrayList<>();
      for (int peer : links.at(round)) {
        if (peer != origin && peer != from) {
          peers.add(peer);
        }
      }
      if (!peers.isEmpty()) {
        int next = peers.get(self.random().nextInt(peers.size()));
        self.send(
            next,
            ADVERTISEMENT,
            round,
            new Envelope(new int[] {fuel, origin}, Payload.empty()).seal());
      }
    }

    private void advertised(Message advertisement) throws InterruptedException {
      int[] header = Envelope.open(advertisement.payload()).header();
      if (header.length != 2 || header[1] < 0 || header[1] >= self.learners()) {
        throw new MalformedPayloadException("an advertisement without an origin");
      }
      if (header[0] > 0) {
        advertise(header[0] - 1, header[1], advertisement.sender());
      } else if (header[1] != self.id() && !wantsLink.contains(header[1])) {
        wantsLink.add(header[1]);
      }
    }

    private void hello(Message hello) throws InterruptedException {
      int peer = hello.sender();
      if (peer >= self.learners() || !isNew(hello, helloFrom)) {
        return;
      }
      if (!links.knows(peer)) {
        int from = Math.max(round, hello.round()) + 1;
        boolean meant = asks(peer, false);
        int others = links.size() + (asked >= 0 && !askedBye && !meant ? 1 : 0);
        if (from < self.rounds() && others < settings.upper()) {
          join(peer, from);
        }
      }
      // One who is asked to part and says hello has agreed already: its answer is on the way.
      if (links.keeps(peer) && !asks(peer, true)) {
        self.send(peer, HELLO_ANSWER, links.first(peer), Payload.empty());
      } else {
        self.send(peer, NO_HELLO, hello.round(), Payload.empty());
      }
    }

    private void helloAnswered(Message answer) {
      int peer = answer.sender();
      // Links are agreed on for rounds to come, so that an answer of an earlier one came twice.
      boolean joins =
          !links.knows(peer)
              && links.size() < settings.upper()
              && answer.round() > joined.getOrDefault(peer, -1);
      if (joins) {
        join(peer, answer.round());
      }
      if (joins || answer.round() > round) {
        answered(peer, false);
      }
    }

    private void join(int peer, int from) {
      links.add(peer, from);
      joined.put(peer, from);
    }

    private void bye(Message bye) throws InterruptedException {
      int peer = bye.sender();
      if (!isNew(bye, byeFrom)) {
        return;
      }
      if (links.keeps(peer)) {
        int lasting = links.lasting(round) - (asked >= 0 && askedBye ? 1 : 0);
        if (asks(peer, true) || lasting > settings.lower()) {
          links.remove(peer, Math.max(round, bye.round()));
        }
      }
      if (links.keeps(peer)) {
        self.send(peer, NO_BYE, bye.round(), Payload.empty());
      } else {
        int last = links.knows(peer) ? links.last(peer) : bye.round();
        self.send(peer, BYE_ANSWER, last, Payload.empty());
      }
    }

    private void byeAnswered(Message answer) {
      int peer = answer.sender();
      if (links.keeps(peer) && answer.round() >= links.first(peer)) {
        links.remove(peer, answer.round());
      }
      if (answer.round() >= round) {
        answered(peer, true);
      }
    }

    private static boolean isNew(Message question, Map<Integer, Integer> askedIn) {
      if (askedIn.getOrDefault(question.sender(), -1) >= question.round()) {
        return false;
      }
      askedIn.put(question.sender(), question.round());
      return true;
    }

    private void refused(Message refusal, boolean bye) {
      if (refusal.round() == round) {
        answered(refusal.sender(), bye);
      }
    }

    private boolean asks(int peer, boolean bye) {
      return asked == peer && askedBye == bye;
    }

    private void answered(int peer, boolean bye) {
      if (asks(peer, bye)) {
        asked = -1;
      }
    }
  }
}

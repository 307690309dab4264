package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Senders;
import dev.grapevine.exchange.Views;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * D-PSGD on an overlay that the nodes build themselves: by gossip every node finds the {@code k}
 * peers whose label histograms are the most dissimilar to its own (or the most similar), measured
 * by the cosine. For {@code cycles} periods a node sends its best candidates and itself to one of
 * them and to one random node, which answer in kind; then it links to its k best. Links count both
 * ways: models are exchanged with those chosen and with those that have chosen the node,
 * Metropolis-Hastings weighted.
 *
 * <p>The ways in which nodes gossip follow Voulgaris and van Steen's Vicinity (2013). Costs 4 small
 * messages a node and cycle; the table {@code [topology]} is not used.
 */
@Kind(
    name = "knn",
    summary = "D-PSGD on a gossiped overlay of peers with the most different (or similar) labels",
    paper = "Voulgaris, van Steen: Vicinity: A Pinch of Randomness Brings out the Structure, 2013")
public final class KnnOverlay implements Protocol {

  /** Whom a node links to. */
  public enum Prefer {
    DISSIMILAR,
    SIMILAR
  }

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("links that each node opens, at least 1") @Default("4") int k,
      @Doc("periods of gossip before training, at least 1") @Default("20") int cycles,
      @Doc("how long a period lasts") @Default("20 ms") Duration period,
      @Doc("whom a node links to: dissimilar or similar labels") @Default("dissimilar")
          Prefer prefer) {

    public Settings {
      SettingException.require(k >= 1, "k", "k must be at least 1: k=" + k);
      SettingException.require(
          cycles >= 1, "cycles", "cycles must be at least 1: cycles=" + cycles);
      SettingException.require(
          period.isPositive(), "period", "period must be positive: period=" + period);
    }
  }

  private static final int GOSSIP = 1;
  private static final int GOSSIP_REPLY = 2;
  private static final int LINK = 3;
  private static final int LINKED = 4;
  private static final int ALL_LINKED = 5;
  private static final int DEGREE = 6;
  private static final int TOLD = 7;
  private static final int WHOSE = 8;
  private static final int MEMBERSHIP = 9;

  private final Settings settings;
  private final int learners;

  public KnnOverlay(Settings settings, ProtocolContext context) {
    this.settings = settings;
    this.learners = context.learners();
  }

  @Override
  public Senders senders(Topology topology) {
    return new Senders.Told(learners - 1);
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Optional.empty();
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Told told = new Told(self, TOLD);
    Overlay overlay = new Overlay(self);
    overlay.answerWhoReturns();
    Neighbourhood neighbours = overlay.isBuilt() ? overlay.weighted() : overlay.join();
    Views views = peer -> null;
    if (self.model().isSecret()) {
      told.tell(0, neighbours);
      views = told.await(0, neighbours.sendsTo());
    }
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train();
      self.model().mix(round, neighbours, views);
      self.evaluate(round);
    }
  }

  private final class Overlay {

    private final Node self;
    private final int[] profile;
    private final Map<Integer, int[]> candidates = new TreeMap<>();
    private final TreeSet<Integer> links = new TreeSet<>();
    private final Map<Integer, Integer> degrees = new TreeMap<>();
    private final Set<Integer> confirmed = new HashSet<>();
    private boolean isBuilt;

    Overlay(Node self) {
      this.self = self;
      this.profile = self.learner().labelCounts();
      self.state().values("overlay", this::degreesOfLinks, this::restore);
    }

    /** Peer and degree by turns; nothing before the overlay is built. */
    private long[] degreesOfLinks() {
      return links.stream()
          .flatMapToLong(peer -> LongStream.of(peer, degrees.getOrDefault(peer, links.size())))
          .toArray();
    }

    private void restore(long[] saved) {
      for (int i = 0; i < saved.length; i += 2) {
        links.add((int) saved[i]);
        degrees.put((int) saved[i], (int) saved[i + 1]);
      }
      isBuilt = true;
    }

    boolean isBuilt() {
      return isBuilt;
    }

    /** One who comes back without a memory asks all others whose neighbour it was. */
    Neighbourhood join() throws InterruptedException {
      if (self.returns(self.id()) == 0) {
        return build();
      }
      Set<Integer> answered = new HashSet<>();
      self.onMessage(
          MEMBERSHIP,
          message -> {
            int degree = Envelope.openBare(message.payload(), 1).header()[0];
            if (degree > 0 && answered.add(message.sender())) {
              links.add(message.sender());
              degrees.put(message.sender(), degree);
            }
            answered.add(message.sender());
          });
      List<Integer> others =
          IntStream.range(0, self.learners()).filter(peer -> peer != self.id()).boxed().toList();
      for (int peer : others) {
        self.send(peer, WHOSE, 0, Payload.empty());
      }
      self.await(() -> haveCome(answered, others), self.patience());
      isBuilt = true;
      return weighted();
    }

    void answerWhoReturns() {
      self.onMessage(
          WHOSE,
          question -> {
            int[] degree = {links.contains(question.sender()) ? links.size() : 0};
            self.send(
                question.sender(), MEMBERSHIP, 0, new Envelope(degree, Payload.empty()).sealBare());
          });
    }

    Neighbourhood build() throws InterruptedException {
      self.onMessage(GOSSIP, this::answer);
      self.onMessage(GOSSIP_REPLY, this::learn);
      self.onMessage(LINK, this::link);
      self.onMessage(LINKED, linked -> confirmed.add(linked.sender()));
      self.onMessage(DEGREE, this::hearDegree);
      Barrier allLinked = new Barrier(self, ALL_LINKED);
      for (int cycle = 0; cycle < settings.cycles(); cycle++) {
        gossip(cycle);
        self.sleep(settings.period());
      }
      List<Integer> chosen = best();
      for (int peer : chosen) {
        links.add(peer);
        self.send(peer, LINK, 0, Payload.empty());
      }
      self.await(() -> haveCome(confirmed, chosen), self.patience());
      allLinked.pass();
      return neighbourhood();
    }

    /** Whether all have answered who are not gone. */
    private boolean haveCome(Set<Integer> answers, Collection<Integer> asked) {
      return asked.stream().allMatch(peer -> answers.contains(peer) || self.isGone(peer));
    }

    private void hearDegree(Message message) {
      degrees.put(message.sender(), Envelope.openBare(message.payload(), 1).header()[0]);
    }

    private void gossip(int cycle) throws InterruptedException {
      if (self.learners() < 2) {
        return;
      }
      int stranger = Sample.peers(self.random(), self.learners(), self.id(), 1)[0];
      self.send(stranger, GOSSIP, cycle, candidatesWithSelf());
      List<Integer> best = best();
      if (!best.isEmpty()) {
        int friend = best.get(self.random().nextInt(best.size()));
        self.send(friend, GOSSIP, cycle, candidatesWithSelf());
      }
    }

    private void answer(Message gossip) throws InterruptedException {
      Payload answer = candidatesWithSelf();
      learn(gossip);
      self.send(gossip.sender(), GOSSIP_REPLY, gossip.round(), answer);
    }

    private void learn(Message gossip) {
      ByteBuffer in = gossip.payload().buffer();
      int entryBytes = Integer.BYTES * (1 + profile.length);
      if (in.remaining() % entryBytes != 0) {
        throw new MalformedPayloadException("not a list of profiles: bytes=" + in.remaining());
      }
      while (in.hasRemaining()) {
        int peer = in.getInt();
        int[] counts = new int[profile.length];
        for (int i = 0; i < counts.length; i++) {
          counts[i] = in.getInt();
        }
        if (peer < 0 || peer >= self.learners()) {
          throw new MalformedPayloadException("no such peer: peer=" + peer);
        }
        if (peer != self.id()) {
          candidates.put(peer, counts);
        }
      }
      candidates.keySet().retainAll(best(2 * settings.k()));
    }

    private Payload candidatesWithSelf() {
      PayloadWriter out = new PayloadWriter(256);
      out.beginMetadata();
      write(self.id(), profile, out);
      candidates.forEach((peer, counts) -> write(peer, counts, out));
      out.endMetadata();
      return out.finish();
    }

    private static void write(int peer, int[] counts, PayloadWriter out) {
      out.writeInt(peer);
      for (int count : counts) {
        out.writeInt(count);
      }
    }

    private List<Integer> best() {
      return best(settings.k());
    }

    /** The best candidates, best first; the lower number wins among equals. */
    private List<Integer> best(int count) {
      int sign = settings.prefer() == Prefer.DISSIMILAR ? 1 : -1;
      return candidates.entrySet().stream()
          .sorted(
              Comparator.comparingDouble(
                      (Map.Entry<Integer, int[]> entry) -> sign * cosine(profile, entry.getValue()))
                  .thenComparingInt(Map.Entry::getKey))
          .limit(count)
          .map(Map.Entry::getKey)
          .toList();
    }

    private void link(Message link) throws InterruptedException {
      links.add(link.sender());
      self.send(link.sender(), LINKED, 0, Payload.empty());
    }

    /** All links of both directions, weighted once the degrees of the others are known. */
    private Neighbourhood neighbourhood() throws InterruptedException {
      int[] peers = links.stream().mapToInt(Integer::intValue).toArray();
      for (int peer : peers) {
        int[] degree = {peers.length};
        self.send(peer, DEGREE, 0, new Envelope(degree, Payload.empty()).sealBare());
      }
      self.await(() -> haveCome(degrees.keySet(), links), self.patience());
      self.record(self.firstRound(), "overlay_degree", peers.length);
      return weighted();
    }

    Neighbourhood weighted() {
      int[] peers = links.stream().mapToInt(Integer::intValue).toArray();
      double[] weights = new double[peers.length];
      double selfWeight = 1;
      for (int i = 0; i < peers.length; i++) {
        int other = degrees.getOrDefault(peers[i], peers.length);
        weights[i] = 1.0 / (1 + Math.max(peers.length, other));
        selfWeight -= weights[i];
      }
      return new Neighbourhood(self.id(), peers, peers, weights, selfWeight);
    }
  }

  private static double cosine(int[] a, int[] b) {
    double product = 0;
    double squaresOfA = 0;
    double squaresOfB = 0;
    for (int i = 0; i < a.length; i++) {
      product += (double) a[i] * b[i];
      squaresOfA += (double) a[i] * a[i];
      squaresOfB += (double) b[i] * b[i];
    }
    return product == 0 ? 0 : product / Math.sqrt(squaresOfA * squaresOfB);
  }
}

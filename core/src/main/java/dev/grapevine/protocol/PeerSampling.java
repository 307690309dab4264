package dev.grapevine.protocol;

import dev.grapevine.exchange.Senders;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * D-PSGD with a central peer sampler: a server knows the topology, the nodes do not. At the start
 * of a round's exchange a node asks the server for its neighbours and gets them with their mixing
 * weights. With a topology that is re-drawn every k rounds the nodes talk to others all the time:
 * the dynamic graph of the DecentralizePy paper. Costs two small messages a node and round.
 */
@Kind(
    name = "peer-sampler",
    summary = "D-PSGD whose neighbours a central peer sampler hands out, round by round",
    paper = "Dhasade et al.: Decentralized Learning Made Easy with DecentralizePy, EuroMLSys 2023")
public final class PeerSampling implements Protocol {

  private static final int ASK = 1;
  private static final int ANSWER = 2;
  private static final int LEAVE = 3;

  /**
   * Between two questions a node trains, which may take far longer than a peer may be silent: how
   * many times as long nobody asks before the sampler takes all for gone.
   */
  private static final int TRAININGS = 20;

  private static final Duration LONG = Duration.ofDays(365);

  private final Topology topology;

  public PeerSampling(ProtocolContext context) {
    this.topology = context.topology();
  }

  @Override
  public int servers() {
    return 1;
  }

  @Override
  public Senders senders(Topology topology) {
    return new Senders.Planned(topology);
  }

  @Override
  public void run(Node self) throws InterruptedException {
    if (self.id() < self.learners()) {
      learn(self);
    } else {
      handOut(self);
    }
  }

  private void handOut(Node self) throws InterruptedException {
    BitSet left = new BitSet();
    int[] heard = {0};
    self.onMessage(
        ASK,
        ask -> {
          heard[0]++;
          if (ask.round() >= 0) {
            self.send(ask.sender(), ANSWER, ask.round(), answer(self, ask.sender(), ask.round()));
          }
        });
    self.onMessage(
        LEAVE,
        leave -> {
          heard[0]++;
          left.set(leave.sender());
        });
    Duration patience = self.patience();
    Duration longestSilence =
        patience.compareTo(LONG) < 0 ? patience.multipliedBy(TRAININGS) : patience;
    boolean isHeard = true;
    while (isHeard && isAnyoneLeft(self, left)) {
      int before = heard[0];
      isHeard =
          self.awaitRequest(() -> heard[0] > before || !isAnyoneLeft(self, left), longestSilence);
    }
  }

  private static boolean isAnyoneLeft(Node self, BitSet left) {
    return IntStream.range(0, self.learners())
        .anyMatch(learner -> !left.get(learner) && !self.isGone(learner));
  }

  private static void learn(Node self) throws InterruptedException {
    int sampler = self.learners();
    Map<Integer, Answer> answers = new HashMap<>();
    self.onMessage(ANSWER, answer -> answers.put(answer.round(), read(self, answer.payload())));
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      int current = round;
      self.send(sampler, ASK, round, Payload.empty());
      self.train();
      self.await(() -> answers.containsKey(current) || self.isGone(sampler), self.patience());
      Answer answer =
          answers.getOrDefault(current, new Answer(Neighbourhood.alone(self.id()), Map.of()));
      answers.clear();
      self.model().mix(round, answer.own, answer.views::get);
      self.evaluate(round);
    }
    self.send(sampler, LEAVE, self.rounds(), Payload.empty());
  }

  /** A node's neighbours; where sums are secret, with what those it sends to hear. */
  private Payload answer(Node self, int node, int round) {
    Neighbourhood neighbours = topology.neighbours(node, round);
    PayloadWriter out = new PayloadWriter(64);
    out.beginMetadata();
    Told.write(neighbours, out);
    if (self.model().isSecret()) {
      for (int receiver : neighbours.sendsTo()) {
        Told.write(hearing(topology.neighbours(receiver, round)), out);
      }
    }
    out.endMetadata();
    return out.finish();
  }

  private static Neighbourhood hearing(Neighbourhood all) {
    return new Neighbourhood(
        all.node(), new int[0], all.hearsFrom(), all.weights(), all.selfWeight());
  }

  private static Answer read(Node self, Payload payload) {
    ByteBuffer in = payload.buffer();
    Neighbourhood own = Told.read(self, self.id(), in);
    Map<Integer, Neighbourhood> views = new HashMap<>();
    if (self.model().isSecret()) {
      for (int receiver : own.sendsTo()) {
        views.put(receiver, Told.read(self, receiver, in));
      }
    }
    if (in.hasRemaining()) {
      throw new MalformedPayloadException("not a neighbourhood: bytes=" + payload.size());
    }
    return new Answer(own, views);
  }

  /**
   * What the sampler says.
   *
   * @param own a node's own place
   * @param views those of whom it sends to, where sums are secret
   */
  private record Answer(Neighbourhood own, Map<Integer, Neighbourhood> views) {}
}

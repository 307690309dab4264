package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Received;
import dev.grapevine.message.Message;
import dev.grapevine.message.MessageBytes;
import dev.grapevine.message.Outgoing;
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
import java.util.List;
import java.util.Optional;

/**
 * Epidemic Learning, local variant: after training, every node pushes its model to {@code peers}
 * nodes drawn at random by itself and averages, all counting the same, whatever came in by the end
 * of the round. Nobody knows who will send to it, so a round ends by the clock: {@code deadline}
 * after the node has sent. Costs n·s messages a round, and no others.
 */
@Kind(
    name = "el-local",
    summary = "Epidemic Learning: push to random nodes, average what came by the deadline",
    paper = "de Vos, Farhadkhani, Guerraoui, Kermarrec, Pires, Sharma: Epidemic Learning, 2023")
public final class EpidemicLocal implements Protocol {

  /** How a node finds others. */
  public enum Sampler {
    UNIFORM,
    GOSSIP
  }

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("random nodes that each node sends to in a round, at least 1") @Default("4") int peers,
      @Doc("how long after sending a round goes on") @Default("1 s") Duration deadline,
      @Doc("whether a model of an earlier round still counts when it comes late") @Default("true")
          boolean late,
      @Doc("where random nodes come from: uniform over all, or a gossiped view of a few")
          @Default("uniform")
          Sampler sampler,
      @Doc("entries of a gossiped view, at least 2") @Default("20") int view,
      @Doc("old entries dropped first when a view overflows") @Default("1") int healing,
      @Doc("entries just sent dropped next") @Default("9") int swap) {

    public Settings {
      SettingException.require(peers >= 1, "peers", "peers must be at least 1: peers=" + peers);
      SettingException.require(
          deadline.isPositive(), "deadline", "deadline must be positive: deadline=" + deadline);
      SettingException.require(view >= 2, "view", "view must be at least 2: view=" + view);
      SettingException.require(
          healing >= 0, "healing", "healing must not be negative: healing=" + healing);
      SettingException.require(swap >= 0, "swap", "swap must not be negative: swap=" + swap);
    }
  }

  private static final int MODEL = 1;
  private static final int SHUFFLE = 2;
  private static final int SHUFFLE_REPLY = 3;

  private final Settings settings;

  public EpidemicLocal(Settings settings) {
    this.settings = settings;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.asynchronous(encoding);
  }

  @Override
  public void run(Node self) throws InterruptedException {
    PeerSampler sampler = sampler(self);
    List<Message> early = new ArrayList<>();
    self.state()
        .bytes(
            "early",
            () -> MessageBytes.write(early),
            saved -> early.addAll(MessageBytes.read(saved)));
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train();
      int[] peers = sampler.peers(round, settings.peers());
      Outgoing outgoing = self.model().encode(round, Neighbourhood.sendingTo(self.id(), peers));
      for (int peer : peers) {
        self.send(peer, MODEL, round, outgoing.to(peer));
      }
      List<Message> models = collect(self, round, early);
      self.record(round, "models_received", models.size());
      self.model().combine(Received.uniform(round, models));
      self.evaluate(round);
    }
  }

  private PeerSampler sampler(Node self) {
    return switch (settings.sampler()) {
      case UNIFORM -> new UniformSampler(self);
      case GOSSIP ->
          new GossipSampler(
              self, SHUFFLE, SHUFFLE_REPLY, settings.view(), settings.healing(), settings.swap());
    };
  }

  /** What belongs to this round; models of later rounds are kept in {@code early}. */
  private List<Message> collect(Node self, int round, List<Message> early)
      throws InterruptedException {
    List<Message> waiting = new ArrayList<>(early);
    early.clear();
    Duration end = self.time().plus(settings.deadline());
    while (true) {
      Duration left = end.minus(self.time());
      Message message = left.isPositive() ? self.receive(left).orElse(null) : null;
      if (message == null) {
        break;
      }
      waiting.add(message);
    }
    List<Message> models = new ArrayList<>();
    for (Message message : waiting) {
      if (message.round() > round) {
        early.add(message);
      } else if (settings.late() || message.round() == round) {
        models.add(message);
      }
    }
    return models;
  }
}

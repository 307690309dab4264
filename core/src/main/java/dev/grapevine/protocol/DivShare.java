package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.MessageBytes;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * DivShare: models travel in small fragments to different nodes, so that a node with a slow link
 * still gets some of them through in every round. After training, a node cuts its model into 1/Ω
 * fragments, queues each of them for {@code peers} random nodes, and sends the queue in random
 * order, one after the other as its uplink lets it; what is unsent when the round ends is dropped
 * for the new round's. Of what came, the newest fragment of each sender counts, coordinate by
 * coordinate and all alike:
 *
 * <pre>  x ← (x + Σ_j x_j)/(1 + count),   over those whose fragment holds the coordinate.</pre>
 *
 * <p>As in {@code el-local}, which it is with Ω = 1, a round ends {@code deadline} after the
 * training. Links without a limit take the whole queue at once. In the paper a node sends while it
 * trains, too. Costs n · peers / Ω messages a round, each of Ω models; no vectors are kept.
 */
@Kind(
    name = "div-share",
    summary = "pushes fragments of the model to different random nodes, as far as links allow",
    paper =
        "Biswas, Kermarrec, Lavoie, Pires, Sharma, Vuillemot, de Vos: Boosting Asynchronous"
            + " Decentralized Learning with Model Fragmentation, WWW 2025")
public final class DivShare implements Protocol {

  /** Tags from 1 on are the fragments' numbers. */
  private static final int MOST_FRAGMENTS = 200;

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("Ω, the share of the model in a fragment, from 0.005 to 1") @Default("0.1")
          double fragment,
      @Doc("J, random nodes that each fragment goes to; 0 for log₂ of the nodes, rounded up")
          @Default("0")
          int peers,
      @Doc("how long after training a round goes on") @Default("1 s") Duration deadline) {

    public Settings {
      SettingException.require(
          fragment >= 1.0 / MOST_FRAGMENTS && fragment <= 1,
          "fragment",
          "fragment must be from 0.005 to 1: fragment=" + fragment);
      SettingException.require(peers >= 0, "peers", "peers must not be negative: peers=" + peers);
      SettingException.require(
          deadline.isPositive(), "deadline", "deadline must be positive: deadline=" + deadline);
    }

    private int fragments() {
      return (int) Math.ceil(1 / fragment - 1e-9);
    }

    private int peers(int nodes) {
      return peers > 0
          ? peers
          : Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(nodes - 1));
    }
  }

  private final Settings settings;
  private final ProtocolContext context;

  public DivShare(Settings settings, ProtocolContext context) {
    this.settings = settings;
    this.context = context;
  }

  @Override
  public boolean usesSharing() {
    return false;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Optional.empty();
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Fragments fragments = new Fragments(self);
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train();
      fragments.queue(round);
      fragments.sendAndCollect(round);
      fragments.combine(round);
      self.evaluate(round);
    }
  }

  private record Sending(int peer, int fragment, Payload payload) {}

  /** One node's fragments: those to be sent and those that came. */
  private final class Fragments {

    private final Node self;
    private final PeerSampler sampler;
    private final List<Exchange> exchanges = new ArrayList<>();
    private final ArrayDeque<Sending> unsent = new ArrayDeque<>();

    /** The newest of each sender and fragment, those of later rounds apart. */
    private final List<TreeMap<Integer, Message>> newest = new ArrayList<>();

    private final List<Message> early = new ArrayList<>();

    /** How many were unsent when the run was saved that goes on here. */
    private int dropped;

    Fragments(Node self) {
      this.self = self;
      this.sampler = new UniformSampler(self);
      State state = self.state();
      state.value("unsent", unsent::size, saved -> dropped = (int) saved);
      state.bytes(
          "early",
          () -> MessageBytes.write(early),
          saved -> early.addAll(MessageBytes.read(saved)));
      float[] model = self.learner().parameters();
      int count = Math.min(settings.fragments(), model.length);
      int[][] cut =
          context
              .shared()
              .get(
                  List.of(Fragment.class, count),
                  () -> Fragment.cut(self.learner().blocks(), count, context.seed()));
      for (int[] coordinates : cut) {
        String name = "fragment-" + exchanges.size();
        exchanges.add(self.exchange(name, model, new Fragment(model, coordinates)));
        newest.add(new TreeMap<>());
      }
    }

    /** Replaces what is unsent by the fragments of the model as it is. */
    void queue(int round) throws InterruptedException {
      List<Sending> all = new ArrayList<>();
      for (int fragment = 0; fragment < exchanges.size(); fragment++) {
        int[] peers = sampler.peers(round, settings.peers(self.learners()));
        Neighbourhood to = Neighbourhood.sendingTo(self.id(), peers);
        var outgoing = exchanges.get(fragment).encode(round, to);
        for (int peer : peers) {
          all.add(new Sending(peer, fragment, outgoing.to(peer)));
        }
      }
      self.record(round, "fragments_dropped", unsent.size() + dropped);
      dropped = 0;
      unsent.clear();
      long seed = SplitMix.mix(SplitMix.mix(context.seed(), self.id()), round);
      for (int i : SplitMix.permutation(all.size(), new SplitMix(seed))) {
        unsent.add(all.get(i));
      }
    }

    void sendAndCollect(int round) throws InterruptedException {
      early.removeIf(message -> message.round() <= round && keep(message));
      Duration end = self.time().plus(settings.deadline());
      while (true) {
        Duration busy = self.sendingFor();
        while (busy.isZero() && !unsent.isEmpty()) {
          Sending next = unsent.remove();
          self.send(next.peer(), 1 + next.fragment(), round, next.payload());
          busy = self.sendingFor();
        }
        Duration left = end.minus(self.time());
        if (!left.isPositive()) {
          return;
        }
        boolean waitsForLink = !unsent.isEmpty() && busy.compareTo(left) < 0;
        Message message = self.receive(waitsForLink ? busy : left).orElse(null);
        if (message == null) {
          continue;
        }
        if (message.round() > round) {
          early.add(message);
        } else {
          keep(message);
        }
      }
    }

    /** Keeps a fragment unless there is a newer one; always true. */
    private boolean keep(Message message) {
      int fragment = message.tag() - 1;
      if (fragment >= newest.size()) {
        self.reject(
            message.sender(),
            new MalformedPayloadException("there is no such fragment: fragment=" + fragment));
        return true;
      }
      newest
          .get(fragment)
          .merge(
              message.sender(),
              message,
              (old, fresh) -> fresh.round() >= old.round() ? fresh : old);
      return true;
    }

    void combine(int round) throws InterruptedException {
      int received = 0;
      for (int fragment = 0; fragment < exchanges.size(); fragment++) {
        List<Message> messages = List.copyOf(newest.get(fragment).values());
        newest.get(fragment).clear();
        received += messages.size();
        exchanges.get(fragment).combine(Received.uniform(round, messages));
      }
      self.record(round, "fragments_received", received);
    }
  }
}

package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.message.Message;
import dev.grapevine.message.Outgoing;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * SWIFT: wait-free decentralized learning. Every node keeps the newest model of each neighbour, at
 * first the common initial one. In each round it trains and sends its model; in each (s + 1)-th it
 * also mixes with what it has of its neighbours, however old:
 *
 * <pre>  x_i ← w_ii x_i + Σ_j w_ij · (newest model of j that has come).</pre>
 *
 * <p>With {@code keep = false} only what came since the last mixing counts, and the weight of a
 * neighbour that sent nothing stays with the node. The mean of all models is not kept. A node may
 * {@code listen} for a moment between sending and mixing: among nodes of equal speed, on links
 * faster than that, it is D-PSGD. No waiting otherwise; each node keeps one model for each
 * neighbour.
 */
@Kind(
    name = "swift",
    summary = "wait-free D-PSGD: mix with the newest models that neighbours have sent",
    paper =
        "Bornstein, Rabbani, Wang, Bedi, Huang: SWIFT: Rapid Decentralized Federated Learning via"
            + " Wait-Free Model Communication, ICLR 2023")
public final class Swift implements Protocol {

  private static final int MODEL = 1;

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("s, rounds without mixing between two that mix, at least 0") @Default("0") int skip,
      @Doc("whether a neighbour's newest model counts until a newer one comes") @Default("true")
          boolean keep,
      @Doc("how long to listen between sending and mixing") @Default("0 s") Duration listen) {

    public Settings {
      SettingException.require(skip >= 0, "skip", "skip must not be negative: skip=" + skip);
      SettingException.require(
          !listen.isNegative(), "listen", "listen must not be negative: listen=" + listen);
    }
  }

  private final Settings settings;

  public Swift(Settings settings) {
    this.settings = settings;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.first(
        Objections.asynchronous(encoding),
        Objections.unless(
            !settings.keep() || (encoding.isWhole() && encoding.isMemoryless()),
            "it keeps its neighbours' whole models, and the scheme's messages hold less; take full,"
                + " or protocol.keep = false"));
  }

  @Override
  public Optional<String> objection(Topology topology) {
    return Objections.unless(
        !settings.keep() || topology.period() == 1,
        "it keeps its neighbours' models from round to round; take a topology that does not change,"
            + " or protocol.keep = false");
  }

  @Override
  public void run(Node self) throws InterruptedException {
    boolean begins = !self.state().holds("newest");
    Newest newest = new Newest(self);
    self.onMessage(MODEL, newest::put);
    if (settings.keep() && begins) {
      newest.beginWithOwn();
    }
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train();
      Neighbourhood neighbours = self.neighbours(round);
      Outgoing outgoing = self.model().encode(round, neighbours);
      for (int peer : Sample.present(self, neighbours.sendsTo())) {
        self.send(peer, MODEL, round, outgoing.to(peer));
      }
      if ((round + 1) % (settings.skip() + 1) == 0) {
        if (settings.listen().isPositive()) {
          self.sleep(settings.listen());
        }
        newest.mix(round, neighbours);
      }
      self.evaluate(round);
    }
  }

  /** The newest message of each neighbour. */
  private final class Newest {

    private final Node self;
    private final TreeMap<Integer, Payload> messages = new TreeMap<>();

    /** From whom something came since the last mixing. */
    private int fresh;

    Newest(Node self) {
      this.self = self;
      self.state().bytes("newest", this::write, this::read);
      self.state().value("fresh", () -> fresh, saved -> fresh = (int) saved);
    }

    private byte[] write() {
      PayloadWriter out = new PayloadWriter(1024);
      messages.forEach((peer, payload) -> {
        ByteBuffer bytes = payload.buffer();
        out.writeInt(peer);
        out.writeInt(bytes.remaining());
        int at = out.claim(bytes.remaining());
        bytes.get(out.array(), at, bytes.remaining());
      });
      return Arrays.copyOf(out.array(), out.size());
    }

    private void read(byte[] bytes) {
      ByteBuffer in = Payload.of(bytes).buffer();
      while (in.hasRemaining()) {
        int peer = in.getInt();
        byte[] payload = new byte[in.getInt()];
        in.get(payload);
        messages.put(peer, Payload.of(payload));
      }
    }

    /** Before anything has come, neighbours are where the node itself began. */
    void beginWithOwn() throws InterruptedException {
      int[] peers = self.neighbours(0).hearsFrom();
      Outgoing own = self.model().encode(0, Neighbourhood.sendingTo(self.id(), peers));
      for (int peer : peers) {
        messages.put(peer, own.to(peer));
      }
    }

    void put(Message message) {
      messages.put(message.sender(), message.payload());
      fresh++;
    }

    void mix(int round, Neighbourhood neighbours) throws InterruptedException {
      Exchange model = self.model();
      List<Contribution> contributions = new ArrayList<>();
      double own = neighbours.selfWeight();
      int[] peers = neighbours.hearsFrom();
      for (int i = 0; i < peers.length; i++) {
        Payload payload = messages.get(peers[i]);
        if (payload == null) {
          own += neighbours.weights()[i];
        } else {
          contributions.add(new Contribution(peers[i], neighbours.weights()[i], payload));
        }
      }
      self.record(round, "models_received", fresh);
      fresh = 0;
      Set<Integer> understood =
          Arrays.stream(model.combine(new Received(round, own, contributions)))
              .boxed()
              .collect(Collectors.toSet());
      // What makes no sense is complained of once.
      messages.keySet().removeIf(peer -> !settings.keep() || !understood.contains(peer));
    }
  }
}

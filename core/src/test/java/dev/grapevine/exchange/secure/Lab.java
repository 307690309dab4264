package dev.grapevine.exchange.secure;

import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Desk;
import dev.grapevine.exchange.Received;
import dev.grapevine.exchange.SecretSum;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.security.masking.AgreementKey;
import dev.grapevine.security.masking.FixedPoint;
import dev.grapevine.security.masking.KeyRing;
import dev.grapevine.security.masking.Roster;
import dev.grapevine.security.masking.Secrets;
import dev.grapevine.security.masking.Session;
import dev.grapevine.topology.Neighbourhood;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Nodes 0 … m−1 that all send to node m, on a table in place of a network: messages lie in a queue
 * and are delivered while a node waits, unless the test lets them get lost.
 */
final class Lab {

  static final Session SESSION = Session.drawn("a test");

  final int senders;
  final Rules rules;
  final List<MaskedSums> nodes = new ArrayList<>();
  final List<float[]> values = new ArrayList<>();
  final Neighbourhood receiver;

  /** All that was ever sent by tag, as (from, to, message). */
  final List<Sent> sent = new ArrayList<>();

  /** What becomes of a message on its way: nothing if it is lost. */
  Function<Sent, List<Sent>> transit = List::of;

  final BitSet gone = new BitSet();
  final List<String> complaints = new ArrayList<>();
  private final Map<Integer, Map<Integer, Desk.Handler>> handlers = new HashMap<>();
  private final ArrayDeque<Sent> underway = new ArrayDeque<>();

  record Sent(int to, Message message) {}

  static Rules rules(boolean survivesLosses, int least) {
    return new Rules(SESSION, least, new FixedPoint(32, 64), 16, survivesLosses, 1, 0);
  }

  Lab(int senders, int count, Rules rules, UnaryOperator<Masks> masks) {
    this.senders = senders;
    this.rules = rules;
    List<AgreementKey> keys = new ArrayList<>();
    List<byte[]> shown = new ArrayList<>();
    for (int node = 0; node <= senders; node++) {
      AgreementKey key = AgreementKey.draw(Secrets.drawn(rules.session(), 1000 + node));
      keys.add(key);
      shown.add(key.publicKey());
    }
    Roster roster = new Roster(rules.session(), shown);
    for (int node = 0; node <= senders; node++) {
      Masks real =
          new RealMasks(
              node,
              new KeyRing(node, keys.get(node), roster),
              Secrets.drawn(rules.session(), node));
      nodes.add(new MaskedSums(new Table(node), rules, masks.apply(real)));
      float[] own = new float[count];
      for (int i = 0; i < count; i++) {
        own[i] = (float) Math.sin(node * 31 + i);
      }
      values.add(own);
    }
    double[] weights = new double[senders];
    double parts = IntStream.range(0, senders).map(i -> i % 3 + 1).sum() + 1;
    double total = 0;
    for (int i = 0; i < senders; i++) {
      weights[i] = (i % 3 + 1) / parts;
      total += weights[i];
    }
    receiver =
        new Neighbourhood(
            senders, new int[0], IntStream.range(0, senders).toArray(), weights, 1 - total);
  }

  /** What a sender says to the receiver in a round. */
  Payload say(int sender, int round) {
    return say(sender, round, 0);
  }

  Payload say(int sender, int round, int channel) {
    float[] own = values.get(sender);
    try (Scratch scratch = new Scratch()) {
      SecretSum.Said said =
          nodes
              .get(sender)
              .mask(
                  channel,
                  round,
                  Neighbourhood.sendingTo(sender, senders),
                  peer -> peer == senders ? receiver : null,
                  own,
                  own.length,
                  scratch);
      return said.outgoing().to(senders);
    }
  }

  /** What the receiver makes of what some have said. */
  Optional<SecretSum.Sum> open(Map<Integer, Payload> heard, int round) {
    List<Contribution> contributions = new ArrayList<>();
    double self = receiver.selfWeight();
    for (int i = 0; i < senders; i++) {
      Payload payload = heard.get(i);
      if (payload != null) {
        contributions.add(new Contribution(i, receiver.weights()[i], payload));
      } else {
        self += receiver.weights()[i];
      }
    }
    try {
      return nodes
          .get(senders)
          .open(0, receiver, new Received(round, self, contributions), values.getFirst().length);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The mean of some senders' values by the same numbers, without masks. */
  float[] twin(BitSet came) {
    int count = values.getFirst().length;
    int[] sum = new int[count];
    int[] numbers = new int[count];
    double weight = 0;
    for (int i = came.nextSetBit(0); i >= 0; i = came.nextSetBit(i + 1)) {
      boolean clips = rules.numbers().examine(values.get(i), count) > 0;
      rules.numbers().write(values.get(i), count, receiver.weights()[i], clips, 0, numbers);
      weight += receiver.weights()[i];
      Arrays.setAll(sum, at -> sum[at] + numbers[at]);
    }
    float[] mean = new float[count];
    rules.numbers().read(sum, count, weight, mean, 0);
    return mean;
  }

  /** Puts a message on the table, from whomever it says. */
  void forge(int to, Message message) {
    underway.add(new Sent(to, message));
  }

  /** Delivers everything. */
  void deliver() {
    while (!underway.isEmpty()) {
      deliverOne();
    }
  }

  private void deliverOne() {
    Sent next = underway.remove();
    Desk.Handler handler = handlers.get(next.to).get(next.message.tag());
    if (handler != null && !gone.get(next.to)) {
      try {
        handler.handle(next.message);
      } catch (MalformedPayloadException malformed) {
        complaints.add(malformed.getMessage());
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  List<Sent> sentWith(int tag) {
    return sent.stream().filter(each -> each.message.tag() == tag).toList();
  }

  private final class Table implements Desk {
    private final int node;

    Table(int node) {
      this.node = node;
      handlers.put(node, new HashMap<>());
    }

    @Override
    public int node() {
      return node;
    }

    @Override
    public void send(int peer, int tag, int round, Payload payload) {
      Sent each = new Sent(peer, new Message(node, tag, round, payload));
      for (Sent arriving : transit.apply(each)) {
        sent.add(arriving);
        underway.add(arriving);
      }
    }

    @Override
    public void onMessage(int tag, Handler handler) {
      handlers.get(node).put(tag, handler);
    }

    @Override
    public boolean await(BooleanSupplier condition, int patience) {
      while (!condition.getAsBoolean() && !underway.isEmpty()) {
        deliverOne();
      }
      return condition.getAsBoolean();
    }

    @Override
    public boolean isGone(int peer) {
      return gone.get(peer);
    }

    @Override
    public void share(Consumer<Scratch> work) {
      try (Scratch scratch = new Scratch()) {
        work.accept(scratch);
      }
    }

    @Override
    public void reject(int sender, MalformedPayloadException complaint) {
      complaints.add(complaint.getMessage());
    }

    @Override
    public long nanos() {
      return 0;
    }

    @Override
    public void spend(long nanos) {}
  }
}

package dev.grapevine.benchmarks.secure;

import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Desk;
import dev.grapevine.exchange.Received;
import dev.grapevine.exchange.SecretSum;
import dev.grapevine.exchange.secure.MaskedSums;
import dev.grapevine.exchange.secure.RealMasks;
import dev.grapevine.exchange.secure.Rules;
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
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Nodes that all hear from all others, one more than the degree, so that each receiver has as many
 * senders as on a regular graph of that degree. Messages are handed over at once.
 */
final class RoundTable {

  private static final int PARTNERS = 16;

  private final int degree;
  private final List<MaskedSums> nodes = new ArrayList<>();
  private final Map<Integer, Map<Integer, Desk.Handler>> handlers = new HashMap<>();
  private final Scratch scratch = new Scratch();
  private final float[] values;
  private int round;
  private long bytes;

  RoundTable(int degree, boolean survivesLosses, float[] values) {
    this.degree = degree;
    this.values = values;
    SecureRandom random = new SecureRandom();
    Session session = Session.fresh(random);
    Rules rules = new Rules(session, 2, new FixedPoint(32, 64), PARTNERS, survivesLosses, 1, 0);
    Secrets secrets = Secrets.of(random);
    List<AgreementKey> keys = new ArrayList<>();
    List<byte[]> shown = new ArrayList<>();
    for (int node = 0; node <= degree; node++) {
      keys.add(AgreementKey.draw(secrets));
      shown.add(keys.getLast().publicKey());
    }
    Roster roster = new Roster(session, shown);
    for (int node = 0; node <= degree; node++) {
      KeyRing ring = new KeyRing(node, keys.get(node), roster);
      nodes.add(new MaskedSums(new Place(node), rules, new RealMasks(node, ring, secrets)));
    }
  }

  /** Milliseconds of processor time that a node takes for one more round. */
  double millis() {
    return millis(-1);
  }

  /**
   * The same where one node's messages are lost: of the others.
   *
   * @param lost that node; negative for none
   */
  double millis(int lost) {
    bytes = 0;
    double begin = ProcessorTime.ofThread();
    List<SecretSum.Said> said = new ArrayList<>();
    for (int node = 0; node <= degree; node++) {
      try (scratch) {
        said.add(
            nodes
                .get(node)
                .mask(0, round, hears(node), this::hears, values, values.length, scratch));
      }
    }
    for (int node = 0; node <= degree; node++) {
      if (node != lost) {
        open(node, lost, said);
      }
    }
    double millis = (ProcessorTime.ofThread() - begin) * 1e3;
    round++;
    return millis / (lost < 0 ? degree + 1 : degree);
  }

  private void open(int node, int lost, List<SecretSum.Said> said) {
    Neighbourhood own = hears(node);
    List<Contribution> heard = new ArrayList<>();
    for (int i = 0; i < degree; i++) {
      int sender = own.hearsFrom()[i];
      if (sender != lost) {
        Payload payload = said.get(sender).outgoing().to(node);
        bytes += payload.metadataSize();
        heard.add(new Contribution(sender, own.weights()[i], payload));
      }
    }
    try {
      if (nodes.get(node).open(0, own, new Received(round, 0, heard), values.length).isEmpty()) {
        throw new IllegalStateException("the sum could not be opened: node=" + node);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What an edge carried beside the values in the last round, frames of further messages too. */
  double extraBytes(int frameBytes) {
    return (double) bytes / (degree + 1) / degree + (furtherMessages ? 2 * frameBytes : 0);
  }

  private boolean furtherMessages;

  private Neighbourhood hears(int node) {
    int[] peers = new int[degree];
    double[] weights = new double[degree];
    for (int i = 0; i < degree; i++) {
      peers[i] = i < node ? i : i + 1;
      weights[i] = 1.0 / (degree + 1);
    }
    return new Neighbourhood(node, peers, peers, weights, weights[0]);
  }

  private final class Place implements Desk {

    private final int node;

    Place(int node) {
      this.node = node;
      handlers.put(node, new HashMap<>());
    }

    @Override
    public int node() {
      return node;
    }

    @Override
    public void send(int peer, int tag, int at, Payload payload) throws InterruptedException {
      bytes += payload.size();
      furtherMessages = true;
      Handler handler = handlers.getOrDefault(peer, Map.of()).get(tag);
      if (handler != null) {
        handler.handle(new Message(node, tag, at, payload));
      }
    }

    @Override
    public void onMessage(int tag, Handler handler) {
      handlers.computeIfAbsent(node, none -> new HashMap<>()).put(tag, handler);
    }

    @Override
    public boolean await(BooleanSupplier condition, int patience) {
      return condition.getAsBoolean();
    }

    @Override
    public boolean isGone(int peer) {
      return false;
    }

    @Override
    public void share(Consumer<Scratch> work) {
      try (scratch) {
        work.accept(scratch);
      }
    }

    @Override
    public void reject(int sender, MalformedPayloadException complaint) {
      throw complaint;
    }

    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void spend(long nanos) {}
  }
}

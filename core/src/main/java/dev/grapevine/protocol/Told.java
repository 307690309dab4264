package dev.grapevine.protocol;

import dev.grapevine.exchange.Views;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.node.Node;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How nodes learn who else sends to whom they send to, where no graph says it: each receiver tells
 * its senders. One small message an edge; what secret sums need.
 */
final class Told {

  private final Node self;
  private final int tag;
  private final Map<Integer, Map<Integer, Neighbourhood>> byRound = new HashMap<>();

  Told(Node self, int tag) {
    this.self = self;
    this.tag = tag;
    self.onMessage(tag, this::hear);
  }

  private void hear(Message message) {
    Neighbourhood view = read(self, message.sender(), message.payload());
    if (Arrays.binarySearch(view.hearsFrom(), self.id()) >= 0) {
      byRound.computeIfAbsent(message.round(), none -> new HashMap<>()).put(message.sender(), view);
    }
  }

  /** Tells all who send to this node in a round who they are, and how much each counts. */
  void tell(int round, Neighbourhood own) throws InterruptedException {
    Payload view =
        write(
            new Neighbourhood(
                own.node(), new int[0], own.hearsFrom(), own.weights(), own.selfWeight()));
    for (int sender : own.hearsFrom()) {
      self.send(sender, tag, round, view);
    }
  }

  /**
   * What the receivers have told of a round, once all have or the experiment's patience is over.
   */
  Views await(int round, int... receivers) throws InterruptedException {
    byRound.keySet().removeIf(past -> past < round);
    Map<Integer, Neighbourhood> told = byRound.computeIfAbsent(round, none -> new HashMap<>());
    self.await(
        () ->
            Arrays.stream(receivers).allMatch(peer -> told.containsKey(peer) || self.isGone(peer)),
        self.patience());
    return told::get;
  }

  /** A neighbourhood as a message. */
  static Payload write(Neighbourhood neighbours) {
    PayloadWriter out = new PayloadWriter(64);
    out.beginMetadata();
    write(neighbours, out);
    out.endMetadata();
    return out.finish();
  }

  static void write(Neighbourhood neighbours, PayloadWriter out) {
    writeAll(neighbours.sendsTo(), out);
    writeAll(neighbours.hearsFrom(), out);
    for (double weight : neighbours.weights()) {
      out.writeLong(Double.doubleToLongBits(weight));
    }
    out.writeLong(Double.doubleToLongBits(neighbours.selfWeight()));
  }

  private static void writeAll(int[] peers, PayloadWriter out) {
    out.writeInt(peers.length);
    for (int peer : peers) {
      out.writeInt(peer);
    }
  }

  private static Neighbourhood read(Node self, int node, Payload payload) {
    ByteBuffer in = payload.buffer();
    Neighbourhood neighbours = read(self, node, in);
    if (in.hasRemaining()) {
      throw new MalformedPayloadException("not a neighbourhood: bytes=" + payload.size());
    }
    return neighbours;
  }

  /** The neighbourhood of {@code node} that comes next. */
  static Neighbourhood read(Node self, int node, ByteBuffer in) {
    int[] sendsTo = readAll(self, in);
    int[] hearsFrom = readAll(self, in);
    if (in.remaining() < (hearsFrom.length + 1) * Double.BYTES) {
      throw new MalformedPayloadException("a neighbourhood is cut off: bytes=" + in.remaining());
    }
    double[] weights = new double[hearsFrom.length];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = in.getDouble();
    }
    return new Neighbourhood(node, sendsTo, hearsFrom, weights, in.getDouble());
  }

  private static int[] readAll(Node self, ByteBuffer in) {
    int length = in.remaining() < Integer.BYTES ? -1 : in.getInt();
    if (length < 0 || length > self.learners() || in.remaining() < length * Integer.BYTES) {
      throw new MalformedPayloadException("not a list of peers: length=" + length);
    }
    int[] peers = new int[length];
    for (int i = 0; i < length; i++) {
      peers[i] = in.getInt();
      if (peers[i] < 0 || peers[i] >= self.learners() || (i > 0 && peers[i] <= peers[i - 1])) {
        throw new MalformedPayloadException("no such peer: peer=" + peers[i]);
      }
    }
    return peers;
  }
}

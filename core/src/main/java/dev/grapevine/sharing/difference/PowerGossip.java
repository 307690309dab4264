package dev.grapevine.sharing.difference;

import dev.grapevine.UserException;
import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Finite;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.compression.values.RawFloats;
import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.random.SplitMix;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * PowerGossip: along each edge, the difference of the two models' weight matrices is averaged in
 * its dominant directions, found by power iteration that goes on from round to round.
 *
 * <p>With directions Q (orthonormal columns) that both ends know, a round sends X_i Q and does X_i
 * ← X_i − w_ij (X_i − X_j) Q Qᵀ; the difference (X_i − X_j) Q, orthonormalized, is the next round's
 * direction from the left, and so on in turn. One multiplication a round, as in the authors'
 * program, is half a step of the paper's algorithm, which exchanges twice. Blocks that are no
 * larger than their low-rank form (biases, norms) travel whole.
 *
 * <p>Preserves the mean exactly when the weights are symmetric. Needs no step size. Keeps, for each
 * edge, {@code rank} vectors as long as a side of each matrix. Ends that have fallen out of step (a
 * lost message) notice and begin anew.
 */
@Kind(
    name = "power-gossip",
    summary = "low-rank averaging of differences along each edge",
    paper =
        "Vogels, Karimireddy, Jaggi, Practical low-rank communication compression in decentralized"
            + " deep learning, NeurIPS 2020")
public final class PowerGossip implements Encoding {

  private static final int HEADER = Integer.BYTES;

  private final float[] parameters;
  private final int node;
  private final long seed;
  private final int rank;
  private final List<Block> blocks = new ArrayList<>();
  private final int[] messageSize = new int[2];
  private final int[] directionSize = new int[2];
  private final TreeMap<Integer, Edge> edges = new TreeMap<>();

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("directions followed in each matrix, at least 1") @Default("1") int rank) {
    public Settings {
      SettingException.require(rank >= 1, "rank", "rank must be at least 1: rank=" + rank);
    }
  }

  /** A matrix of the model; {@code whole} when it is sent as it is. */
  private record Block(int at, int rows, int cols, boolean whole) {

    /** Length of one vector sent in a step: X q has rows, Xᵀ p has cols. */
    int sent(int parity) {
      return parity == 0 ? rows : cols;
    }
  }

  /** What both ends of an edge know: how far they are, and the present directions. */
  private static final class Edge {
    int step;
    float[] directions = new float[0];
    Payload sent = Payload.empty();

    int parity() {
      return step & 1;
    }
  }

  public PowerGossip(Settings settings, SharingContext context) {
    parameters = context.vector();
    node = context.node();
    seed = context.seed();
    rank = settings.rank();
    for (ParameterBlock block : context.blocks()) {
      int rows = block.shape().length == 0 ? 1 : block.shape()[0];
      int cols = rows == 0 ? 0 : block.size() / rows;
      boolean whole = (long) rank * (rows + cols) >= block.size();
      blocks.add(new Block(block.offset(), rows, cols, whole));
      for (int parity = 0; parity < 2; parity++) {
        messageSize[parity] += whole ? block.size() : rank * (parity == 0 ? rows : cols);
        directionSize[parity] += whole ? 0 : rank * (parity == 0 ? cols : rows);
      }
    }
    context.state().bytes("edges", this::writeEdges, this::readEdges);
  }

  /** Steps and directions; what was sent has been combined by the end of a round. */
  private byte[] writeEdges() {
    PayloadWriter out = new PayloadWriter(1024);
    edges.forEach((peer, edge) -> {
      out.writeInt(peer);
      out.writeInt(edge.step);
      out.writeInt(edge.directions.length);
      RawFloats.write(edge.directions, edge.directions.length, out);
    });
    return Arrays.copyOf(out.array(), out.size());
  }

  private void readEdges(byte[] bytes) {
    ByteBuffer in = Payload.of(bytes).buffer();
    while (in.hasRemaining()) {
      Edge edge = new Edge();
      edges.put(in.getInt(), edge);
      edge.step = in.getInt();
      edge.directions = new float[in.getInt()];
      RawFloats.read(in, edge.directions, edge.directions.length);
    }
  }

  @Override
  public boolean isLinear() {
    return true;
  }

  @Override
  public boolean keepsMean() {
    return true;
  }

  @Override
  public Continuity continuity() {
    return Continuity.ROUNDS;
  }

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    if (!Arrays.equals(to.sendsTo(), to.hearsFrom())) {
      throw new UserException(
          "power-gossip needs a topology whose edges go both ways: node=%d, round=%d"
              .formatted(node, round));
    }
    edges.keySet().removeIf(peer -> Arrays.binarySearch(to.sendsTo(), peer) < 0);
    TreeMap<Integer, Payload> payloads = new TreeMap<>();
    for (int peer : to.sendsTo()) {
      Edge edge = edges.computeIfAbsent(peer, this::freshEdge);
      float[] content = scratch.floats("sharing.coordinates", messageSize[edge.parity()]);
      multiply(edge, content);
      PayloadWriter out = new PayloadWriter(HEADER + Float.BYTES * messageSize[edge.parity()]);
      out.beginMetadata();
      out.writeInt(edge.step);
      out.endMetadata();
      RawFloats.write(content, messageSize[edge.parity()], out);
      edge.sent = out.finish();
      payloads.put(peer, edge.sent);
    }
    return peer -> payloads.getOrDefault(peer, Payload.empty());
  }

  private Edge freshEdge(int peer) {
    Edge edge = new Edge();
    edge.directions = new float[directionSize[0]];
    int at = 0;
    for (Block block : blocks) {
      if (!block.whole) {
        LowRank.draw(edge.directions, at, rank * block.cols, seedOf(peer, block));
        LowRank.orthonormalize(edge.directions, at, block.cols, rank, seedOf(peer, block));
        at += rank * block.cols;
      }
    }
    return edge;
  }

  /** The same at both ends. */
  private long seedOf(int peer, Block block) {
    long edge = (long) Math.min(node, peer) << 32 | Math.max(node, peer);
    return SplitMix.finish(seed ^ SplitMix.finish(edge ^ SplitMix.finish(block.at)));
  }

  private void multiply(Edge edge, float[] content) {
    int parity = edge.parity();
    int to = 0;
    int from = 0;
    for (Block block : blocks) {
      if (block.whole) {
        int size = block.rows * block.cols;
        System.arraycopy(parameters, block.at, content, to, size);
        to += size;
        continue;
      }
      for (int k = 0; k < rank; k++) {
        if (parity == 0) {
          LowRank.times(
              parameters, block.at, block.rows, block.cols, edge.directions, from, content, to);
        } else {
          LowRank.transposedTimes(
              parameters, block.at, block.rows, block.cols, edge.directions, from, content, to);
        }
        from += block.sent(1 - parity);
        to += block.sent(parity);
      }
    }
  }

  /** What a neighbour multiplied, to be combined with what this node sent it. */
  private record Product(int step, float[] values) implements Update {

    @Override
    public boolean isWhole() {
      return false;
    }

    @Override
    public boolean isFinite() {
      return Finite.all(values, 0, values.length);
    }

    @Override
    public void read(int from, int length, float[] own, float[] block) {
      throw new UnsupportedOperationException("a product stands for a difference, not a vector");
    }

    @Override
    public void addTo(float[] sum, float weight) {
      throw new UnsupportedOperationException("a product needs the other end's");
    }
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    ByteBuffer in = payload.buffer();
    int step = in.remaining() < HEADER ? -1 : in.getInt();
    if (step < 0 || in.remaining() != Float.BYTES * messageSize[step & 1]) {
      throw new MalformedPayloadException(
          "message has the wrong size: step=%d, bytes=%d".formatted(step, payload.size()));
    }
    float[] values = new float[messageSize[step & 1]];
    RawFloats.read(in, values, values.length);
    return new Product(step, values);
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    // Both ends must compute the same bits, so each takes what was sent, not its present model.
    float[] change = scratch.floats("sharing.change", parameters.length);
    Arrays.fill(change, 0, parameters.length, 0f);
    for (Heard.Weighted each : heard.updates()) {
      int peer = each.sender();
      Product theirs = (Product) each.update();
      Edge edge = edges.get(peer);
      if (edge == null || theirs.step != edge.step || edge.sent.size() == 0) {
        edges.put(peer, freshEdge(peer));
        continue;
      }
      float[] ours = scratch.floats("sharing.values", theirs.values.length);
      RawFloats.read(edge.sent.buffer().position(HEADER), ours, theirs.values.length);
      follow(edge, peer, (float) each.weight(), ours, theirs.values, change);
    }
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] += change[i];
    }
  }

  /** Averages along one edge and turns the difference into the next directions. */
  private void follow(
      Edge edge, int peer, float weight, float[] ours, float[] theirs, float[] change) {
    int parity = edge.parity();
    // For the same reason the difference is always lower minus higher node.
    float[] lower = node < peer ? ours : theirs;
    float[] higher = node < peer ? theirs : ours;
    float signed = node < peer ? -weight : weight;
    float[] next = new float[directionSize[1 - parity]];
    int nextAt = 0;
    int at = 0;
    int from = 0;
    for (Block block : blocks) {
      if (block.whole) {
        int size = block.rows * block.cols;
        for (int i = 0; i < size; i++) {
          change[block.at + i] += signed * (lower[at + i] - higher[at + i]);
        }
        at += size;
        continue;
      }
      int length = block.sent(parity);
      int begin = nextAt;
      for (int k = 0; k < rank; k++) {
        for (int i = 0; i < length; i++) {
          next[nextAt + i] = lower[at + i] - higher[at + i];
        }
        boolean right = parity == 0;
        LowRank.addOuter(
            change,
            block.at,
            block.rows,
            block.cols,
            signed,
            right ? next : edge.directions,
            right ? nextAt : from,
            right ? edge.directions : next,
            right ? from : nextAt);
        from += block.sent(1 - parity);
        nextAt += length;
        at += length;
      }
      LowRank.orthonormalize(next, begin, length, rank, seedOf(peer, block) + edge.step);
    }
    edge.directions = next;
    edge.sent = Payload.empty();
    edge.step++;
  }
}

package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.compression.values.RawFloats;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * CHOCO-SGD among changing neighbours, with one replica kept for each present neighbour.
 *
 * <p>A message says which version of the sender's replica it leads to, and is either the difference
 * to the version before, the whole replica, or word that the version before is good enough. Who was
 * sent the version before gets the difference, everyone else the whole. A receiver that missed a
 * version sits the peer out (its weight stays with the node itself) until the next whole replica.
 */
final class ChangingChoco implements Encoding {

  private static final byte DIFFERENCE = 0;
  private static final byte WHOLE = 1;

  /** The node is still close to its replica. */
  private static final byte UNCHANGED = 2;

  private static final int HEADER = 1 + Integer.BYTES;

  private final float gamma;
  private final int resyncEvery;
  private final double trigger;
  private final Compressor compressor;
  private final float[] parameters;
  private final float[] own;
  private final TreeMap<Integer, Replica> replicas = new TreeMap<>();
  private int version;
  private int[] sentLast = new int[0];

  private static final class Replica {
    final float[] values;
    int version;

    Replica(int size) {
      values = new float[size];
    }
  }

  ChangingChoco(Choco.Settings settings, Compressor compressor, SharingContext context) {
    this.gamma = (float) settings.gamma();
    this.resyncEvery = settings.resyncEvery();
    this.trigger = settings.trigger();
    this.compressor = compressor;
    parameters = context.vector();
    own =
        context
            .state()
            .floats(
                "replica",
                settings.start() == Choco.Start.MODEL
                    ? parameters.clone()
                    : new float[parameters.length]);
    context.state().value("version", () -> version, saved -> version = (int) saved);
    context.state().bytes("neighbours", this::writeNeighbours, this::readNeighbours);
  }

  private byte[] writeNeighbours() {
    PayloadWriter out = new PayloadWriter(1024);
    out.writeInt(sentLast.length);
    for (int peer : sentLast) {
      out.writeInt(peer);
    }
    replicas.forEach((peer, replica) -> {
      out.writeInt(peer);
      out.writeInt(replica.version);
      RawFloats.write(replica.values, replica.values.length, out);
    });
    return Arrays.copyOf(out.array(), out.size());
  }

  private void readNeighbours(byte[] bytes) {
    ByteBuffer in = Payload.of(bytes).buffer();
    sentLast = new int[in.getInt()];
    for (int i = 0; i < sentLast.length; i++) {
      sentLast[i] = in.getInt();
    }
    while (in.hasRemaining()) {
      Replica replica = new Replica(parameters.length);
      replicas.put(in.getInt(), replica);
      replica.version = in.getInt();
      RawFloats.read(in, replica.values, parameters.length);
    }
  }

  @Override
  public Continuity continuity() {
    return Continuity.ROUNDS;
  }

  @Override
  public boolean keepsMean() {
    return true;
  }

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    int[] peers = to.sendsTo();
    int[] known = sentLast;
    replicas.keySet().removeIf(peer -> Arrays.binarySearch(to.hearsFrom(), peer) < 0);
    version++;
    boolean resync = resyncEvery > 0 && version % resyncEvery == 0;
    Payload difference = difference(scratch);
    boolean needsWhole = resync;
    for (int peer : peers) {
      needsWhole |= Arrays.binarySearch(known, peer) < 0;
    }
    sentLast = peers.clone();
    if (!needsWhole) {
      return difference;
    }
    Payload all = whole();
    return peer -> resync || Arrays.binarySearch(known, peer) < 0 ? all : difference;
  }

  private Payload difference(Scratch scratch) {
    float[] difference = scratch.floats("sharing.coordinates", parameters.length);
    for (int i = 0; i < parameters.length; i++) {
      difference[i] = parameters[i] - own[i];
    }
    PayloadWriter out = new PayloadWriter(1024);
    if (!Choco.isFar(difference, parameters.length, trigger)) {
      writeHeader(UNCHANGED, out);
      return out.finish();
    }
    writeHeader(DIFFERENCE, out);
    compressor.compress(difference, parameters.length, out, scratch);
    Payload payload = out.finish();
    ByteBuffer sent = payload.buffer().position(HEADER);
    compressor.decode(sent, parameters.length, scratch).addTo(own, 1);
    return payload;
  }

  private Payload whole() {
    PayloadWriter out = new PayloadWriter(HEADER + Float.BYTES * own.length);
    writeHeader(WHOLE, out);
    RawFloats.write(own, own.length, out);
    return out.finish();
  }

  private void writeHeader(byte form, PayloadWriter out) {
    out.beginMetadata();
    out.writeByte(form);
    out.writeInt(version);
    out.endMetadata();
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    ByteBuffer in = payload.buffer();
    Incoming.require(in, HEADER);
    byte form = in.get();
    int sent = in.getInt();
    int size = parameters.length;
    switch (form) {
      case WHOLE -> {
        float[] values = scratch.floats("sharing.values", size);
        RawFloats.read(in, values, size);
        Incoming.requireEnd(in);
        Update.ofVector(values, 0, size).requireFinite();
        Replica replica = replicas.computeIfAbsent(sender, s -> new Replica(size));
        System.arraycopy(values, 0, replica.values, 0, size);
        replica.version = sent;
        return Update.ofVector(replica.values, 0, size);
      }
      case DIFFERENCE, UNCHANGED -> {
        Update difference =
            form == UNCHANGED ? Update.NOTHING : compressor.decode(in, size, scratch);
        Incoming.requireEnd(in);
        difference.requireFinite();
        Replica replica = replicas.get(sender);
        if (replica == null || replica.version != sent - 1) {
          return Update.NOTHING;
        }
        difference.addTo(replica.values, 1);
        replica.version = sent;
        return Update.ofVector(replica.values, 0, size);
      }
      default -> throw new MalformedPayloadException("unknown form of message: form=" + form);
    }
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    float[] pull = scratch.floats("sharing.coordinates", parameters.length);
    rule.change(own, parameters.length, heard, pull, scratch);
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] += gamma * pull[i];
    }
  }
}

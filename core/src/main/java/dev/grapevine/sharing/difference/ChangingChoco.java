package dev.grapevine.sharing.difference;

import dev.grapevine.compression.values.RawFloats;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Contribution;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.sharing.Received;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.sharing.Workspace;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * CHOCO-SGD among changing neighbours, with one replica kept for each present neighbour.
 *
 * <p>A message says which version of the sender's replica it leads to, and is either the difference
 * to the version before or the whole replica. Who was sent the version before gets the difference,
 * everyone else the whole. A receiver that missed a version sits the peer out (its weight stays
 * with the node itself) until the next whole replica.
 */
final class ChangingChoco implements Sharing {

  private static final byte DIFFERENCE = 0;
  private static final byte WHOLE = 1;
  private static final int HEADER = 1 + Integer.BYTES;

  private final float gamma;
  private final int resyncEvery;
  private final Compressor compressor;
  private final float[] parameters;
  private final float[] own;
  private final RawFloats whole = new RawFloats();
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
    this.compressor = compressor;
    parameters = context.parameters();
    own = new float[parameters.length];
  }

  @Override
  public Continuity continuity() {
    return Continuity.ROUNDS;
  }

  @Override
  public Outgoing message(int round, Neighbourhood neighbours) {
    int[] peers = neighbours.sendsTo();
    int[] known = sentLast;
    replicas.keySet().removeIf(peer -> Arrays.binarySearch(neighbours.hearsFrom(), peer) < 0);
    version++;
    boolean resync = resyncEvery > 0 && version % resyncEvery == 0;
    try (Workspace workspace = Workspace.borrow()) {
      Payload difference = difference(workspace);
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
  }

  private Payload difference(Workspace workspace) {
    float[] difference = workspace.floats(0, parameters.length);
    for (int i = 0; i < parameters.length; i++) {
      difference[i] = parameters[i] - own[i];
    }
    PayloadWriter out = new PayloadWriter(1024);
    writeHeader(DIFFERENCE, out);
    compressor.compress(difference, parameters.length, out, workspace);
    Payload payload = out.finish();
    ByteBuffer sent = payload.buffer().position(HEADER);
    compressor.add(sent, 1, own, parameters.length, workspace);
    return payload;
  }

  private Payload whole() {
    PayloadWriter out = new PayloadWriter(HEADER + Float.BYTES * own.length);
    writeHeader(WHOLE, out);
    whole.encode(own, own.length, out);
    return out.finish();
  }

  private void writeHeader(byte form, PayloadWriter out) {
    out.beginMetadata();
    out.writeByte(form);
    out.writeInt(version);
    out.endMetadata();
  }

  @Override
  public void merge(Received received) {
    try (Workspace workspace = Workspace.borrow()) {
      float[] pull = workspace.floats(0, parameters.length);
      Arrays.fill(pull, 0, parameters.length, 0f);
      for (Contribution contribution : received.contributions()) {
        Replica replica;
        try {
          replica = follow(contribution, workspace);
        } catch (MalformedPayloadException e) {
          throw e.from(contribution.sender());
        }
        if (replica != null) {
          float weight = (float) contribution.weight();
          for (int i = 0; i < parameters.length; i++) {
            pull[i] += weight * (replica.values[i] - own[i]);
          }
        }
      }
      for (int i = 0; i < parameters.length; i++) {
        parameters[i] += gamma * pull[i];
      }
    }
  }

  /** The sender's replica brought to the message's version; null when a version was missed. */
  private @Nullable Replica follow(Contribution contribution, Workspace workspace) {
    ByteBuffer in = contribution.payload().buffer();
    Incoming.require(in, HEADER);
    byte form = in.get();
    int sent = in.getInt();
    float[] content = workspace.floats(1, parameters.length);
    switch (form) {
      case WHOLE -> whole.decode(in, content, parameters.length);
      case DIFFERENCE -> {
        Arrays.fill(content, 0, parameters.length, 0f);
        compressor.add(in, 1, content, parameters.length, workspace);
      }
      default -> throw new MalformedPayloadException("unknown form of message: form=" + form);
    }
    Incoming.requireEnd(in);
    return form == WHOLE
        ? replace(contribution.sender(), sent, content)
        : advance(contribution.sender(), sent, content);
  }

  private Replica replace(int sender, int sent, float[] content) {
    Replica replica = replicas.computeIfAbsent(sender, s -> new Replica(parameters.length));
    System.arraycopy(content, 0, replica.values, 0, parameters.length);
    replica.version = sent;
    return replica;
  }

  private @Nullable Replica advance(int sender, int sent, float[] difference) {
    Replica replica = replicas.get(sender);
    if (replica == null || (replica.version != sent && replica.version != sent - 1)) {
      return null;
    }
    // A merge that is tried again without a malformed message finds the others applied already.
    if (replica.version == sent - 1) {
      for (int i = 0; i < parameters.length; i++) {
        replica.values[i] += difference[i];
      }
      replica.version = sent;
    }
    return replica;
  }
}

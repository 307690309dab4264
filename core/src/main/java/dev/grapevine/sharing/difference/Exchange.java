package dev.grapevine.sharing.difference;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.sharing.Contribution;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.sharing.Received;
import dev.grapevine.sharing.Workspace;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/** One round of compressed vectors: the node's own, and the weighted sum of everyone's. */
final class Exchange {

  private final Compressor compressor;
  private final int size;
  private final OptionalInt fingerprint;
  private Payload own = Payload.empty();
  private int lastSize;

  private Exchange(Compressor compressor, int size, OptionalInt fingerprint) {
    this.compressor = compressor;
    this.size = size;
    this.fingerprint = fingerprint;
  }

  static Exchange ofVectors(Compressor compressor, int size) {
    return new Exchange(compressor, size, OptionalInt.empty());
  }

  /**
   * An exchange for schemes whose replicas begin at the common initial model: messages carry its
   * checksum, four bytes, so that nodes with different ones find out at once.
   */
  static Exchange fromCommonStart(Compressor compressor, float[] initial) {
    CRC32C checksum = new CRC32C();
    ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * initial.length);
    bytes.asFloatBuffer().put(initial);
    checksum.update(bytes);
    return new Exchange(compressor, initial.length, OptionalInt.of((int) checksum.getValue()));
  }

  /** Compresses what this node sends and keeps it until the merge. */
  Payload send(float[] vector, Workspace workspace) {
    PayloadWriter out = new PayloadWriter(lastSize + lastSize / 16 + 64);
    if (fingerprint.isPresent()) {
      out.beginMetadata();
      out.writeInt(fingerprint.getAsInt());
      out.endMetadata();
    }
    compressor.compress(vector, size, out, workspace);
    own = out.finish();
    lastSize = own.size();
    return own;
  }

  /** Forgets the node's own vector: it has been merged. */
  void finish() {
    own = Payload.empty();
  }

  /** Adds to {@code sum} the node's own vector as its neighbours see it. */
  void addOwn(float weight, float[] sum, Workspace workspace) {
    if (own.size() > 0) {
      add(own, weight, sum, workspace);
    }
  }

  /** w_ii C(v_i) + Σ_j w_ij C(v_j), in slot 0 of the workspace. */
  float[] weightedSum(Received received, Workspace workspace) {
    float[] sum = workspace.floats(0, size);
    Arrays.fill(sum, 0, size, 0f);
    addOwn((float) received.selfWeight(), sum, workspace);
    for (Contribution contribution : received.contributions()) {
      try {
        add(contribution.payload(), (float) contribution.weight(), sum, workspace);
      } catch (MalformedPayloadException e) {
        throw e.from(contribution.sender());
      }
    }
    return sum;
  }

  private void add(Payload payload, float weight, float[] sum, Workspace workspace) {
    ByteBuffer in = payload.buffer();
    if (fingerprint.isPresent()) {
      requireCommonStart(in);
    }
    compressor.add(in, weight, sum, size, workspace);
    Incoming.requireEnd(in);
  }

  private void requireCommonStart(ByteBuffer in) {
    Incoming.require(in, Integer.BYTES);
    if (in.getInt() != fingerprint.getAsInt()) {
      throw new MalformedPayloadException(
          "peer did not start from the same parameters, which this scheme needs");
    }
  }
}

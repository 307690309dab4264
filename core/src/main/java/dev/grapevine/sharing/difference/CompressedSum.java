package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.state.State;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/** One round of compressed vectors: the node's own, and the weighted sum of everyone's. */
final class CompressedSum {

  private final Compressor compressor;
  private final int size;
  private OptionalInt fingerprint;
  private Payload own = Payload.empty();
  private int lastSize;

  private CompressedSum(Compressor compressor, int size, OptionalInt fingerprint) {
    this.compressor = compressor;
    this.size = size;
    this.fingerprint = fingerprint;
  }

  static CompressedSum ofVectors(Compressor compressor, int size) {
    return new CompressedSum(compressor, size, OptionalInt.empty());
  }

  /**
   * For schemes whose replicas begin at the common initial model: messages carry its checksum, four
   * bytes, so that nodes with different ones find out at once.
   */
  static CompressedSum fromCommonStart(Compressor compressor, float[] initial, State state) {
    CRC32C checksum = new CRC32C();
    ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * initial.length);
    bytes.asFloatBuffer().put(initial);
    checksum.update(bytes);
    CompressedSum sum =
        new CompressedSum(compressor, initial.length, OptionalInt.of((int) checksum.getValue()));
    state.value(
        "common-start",
        () -> sum.fingerprint.getAsInt(),
        saved -> sum.fingerprint = OptionalInt.of((int) saved));
    return sum;
  }

  /** Compresses what this node sends and keeps it until {@link #finish}. */
  Payload send(float[] vector, Scratch scratch) {
    PayloadWriter out = new PayloadWriter(lastSize + lastSize / 16 + 64);
    if (fingerprint.isPresent()) {
      out.beginMetadata();
      out.writeInt(fingerprint.getAsInt());
      out.endMetadata();
    }
    compressor.compress(vector, size, out, scratch);
    own = out.finish();
    lastSize = own.size();
    return own;
  }

  /** Forgets the node's own vector: it has been combined. */
  void finish() {
    own = Payload.empty();
  }

  /** Adds to {@code sum} the node's own vector as its neighbours see it. */
  void addOwn(float weight, float[] sum, Scratch scratch) {
    if (own.size() > 0) {
      read(own, scratch).addTo(sum, weight);
    }
  }

  /** What a message stands for. */
  Update decode(Payload payload, Scratch scratch) {
    return read(payload, scratch).kept(scratch);
  }

  private Update read(Payload payload, Scratch scratch) {
    ByteBuffer in = payload.buffer();
    if (fingerprint.isPresent()) {
      requireCommonStart(in);
    }
    Update update = compressor.decode(in, size, scratch);
    Incoming.requireEnd(in);
    return update;
  }

  /** w_ii C(v_i) + Σ_j w_ij C(v_j), in an array of the scratch. */
  float[] weightedSum(Heard heard, Scratch scratch) {
    float[] sum = scratch.floats("sharing.coordinates", size);
    Arrays.fill(sum, 0, size, 0f);
    addOwn((float) heard.selfWeight(), sum, scratch);
    heard.addTo(sum);
    return sum;
  }

  private void requireCommonStart(ByteBuffer in) {
    Incoming.require(in, Integer.BYTES);
    if (in.getInt() != fingerprint.getAsInt()) {
      throw new MalformedPayloadException(
          "peer did not start from the same vector, which this scheme needs");
    }
  }
}

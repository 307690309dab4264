package dev.grapevine.protocol;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.compression.TopK;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import java.nio.ByteBuffer;

/**
 * Sparse ternary compression of a vector: the k largest magnitudes become ±μ, where μ is their
 * mean, all others 0 (Algorithm 1 of Sattler et al.). On the wire: μ, the positions, one bit of
 * sign each.
 */
final class TernaryUpdate {

  private final IndexCodec positions;
  private final int size;
  private final int count;
  private final int[] indices;
  private final float[] magnitudes;

  /**
   * @param size length of the vectors
   * @param sparsity share of the values kept, at least one
   */
  TernaryUpdate(IndexCodec positions, int size, double sparsity) {
    this.positions = positions;
    this.size = size;
    this.count = (int) Math.clamp(Math.round(sparsity * size), 1, size);
    this.indices = new int[count];
    this.magnitudes = new float[size];
  }

  /** Writes the compressed vector and takes it off {@code residual}, which keeps the error. */
  void compress(float[] residual, PayloadWriter out) {
    for (int i = 0; i < size; i++) {
      magnitudes[i] = Math.abs(residual[i]);
    }
    TopK.select(magnitudes, count, indices);
    double sum = 0;
    for (int index : indices) {
      sum += magnitudes[index];
    }
    float mean = (float) (sum / count);
    out.writeFloat(mean);
    byte[] signs = new byte[(count + 7) / 8];
    for (int i = 0; i < count; i++) {
      boolean negative = residual[indices[i]] < 0;
      signs[i >> 3] |= (byte) ((negative ? 1 : 0) << (i & 7));
      residual[indices[i]] -= negative ? -mean : mean;
    }
    out.writeBytes(signs, 0, signs.length);
    out.beginMetadata();
    positions.encode(indices, count, size, out);
    out.endMetadata();
  }

  /** Reads one compressed vector without doing anything with it; nothing may follow. */
  void check(Payload payload) {
    ByteBuffer in = payload.buffer();
    addTo(in, 0, magnitudes);
    if (in.hasRemaining()) {
      throw new MalformedPayloadException("bytes after a ternary update: " + in.remaining());
    }
  }

  /** Reads all compressed vectors of a payload, which may be none. */
  void checkAll(Payload payload) {
    ByteBuffer in = payload.buffer();
    while (in.hasRemaining()) {
      addTo(in, 0, magnitudes);
    }
  }

  /** Reads one compressed vector and adds {@code weight} times it to {@code target}. */
  void addTo(ByteBuffer in, float weight, float[] target) {
    int signBytes = (count + 7) / 8;
    if (in.remaining() < Float.BYTES + signBytes) {
      throw new MalformedPayloadException("a ternary update is cut off: bytes=" + in.remaining());
    }
    float step = weight * in.getFloat();
    int signs = in.position();
    in.position(signs + signBytes);
    int read = positions.decode(in, size, indices);
    if (read != count) {
      throw new MalformedPayloadException(
          "a ternary update has %d values, got %d".formatted(count, read));
    }
    for (int i = 0; i < count; i++) {
      boolean negative = (in.get(signs + (i >> 3)) >> (i & 7) & 1) != 0;
      target[indices[i]] += negative ? -step : step;
    }
  }
}

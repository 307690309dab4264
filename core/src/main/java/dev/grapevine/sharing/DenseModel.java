package dev.grapevine.sharing;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Payload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;

/** A whole model on the wire: its parameters as little-endian 32-bit floats, nothing else. */
final class DenseModel {

  /** Values mixed at a time: two blocks of them stay in the first-level cache. */
  private static final int BLOCK = 2048;

  private DenseModel() {}

  static Payload encode(float[] parameters) {
    byte[] bytes = new byte[Math.multiplyExact(parameters.length, Float.BYTES)];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(parameters);
    return Payload.of(bytes);
  }

  /**
   * {@code parameters = selfWeight * parameters + sum of weight * payload}, block by block in the
   * order of the contributions. Changes nothing if one of them has the wrong length.
   */
  static void mix(float[] parameters, double selfWeight, List<Contribution> contributions) {
    FloatBuffer[] models = new FloatBuffer[contributions.size()];
    for (int i = 0; i < models.length; i++) {
      models[i] = view(contributions.get(i), parameters.length);
    }
    float self = selfWeight(selfWeight, contributions);
    int size = Math.min(BLOCK, parameters.length);
    float[] sum = new float[size];
    float[] block = new float[size];
    for (int offset = 0; offset < parameters.length; offset += BLOCK) {
      int length = Math.min(BLOCK, parameters.length - offset);
      System.arraycopy(parameters, offset, sum, 0, length);
      scale(sum, length, self);
      for (int i = 0; i < models.length; i++) {
        models[i].get(block, 0, length);
        addScaled(sum, block, length, (float) contributions.get(i).weight());
      }
      System.arraycopy(sum, 0, parameters, offset, length);
    }
  }

  /** Takes up what rounding took from the other weights, so that their sum stays what it was. */
  private static float selfWeight(double selfWeight, List<Contribution> contributions) {
    double self = selfWeight;
    for (Contribution contribution : contributions) {
      self += contribution.weight() - (float) contribution.weight();
    }
    return (float) self;
  }

  private static FloatBuffer view(Contribution contribution, int parameters) {
    Payload payload = contribution.payload();
    if (payload.size() != parameters * (long) Float.BYTES) {
      throw new MalformedPayloadException(
              "model of the wrong size: bytes=%d, expected=%d"
                  .formatted(payload.size(), parameters * (long) Float.BYTES))
          .from(contribution.sender());
    }
    return payload.buffer().asFloatBuffer();
  }

  private static void scale(float[] values, int length, float factor) {
    for (int i = 0; i < length; i++) {
      values[i] *= factor;
    }
  }

  /** Both arrays at the same index: only then can the compiler vectorize without knowing them. */
  private static void addScaled(float[] values, float[] block, int length, float factor) {
    for (int i = 0; i < length; i++) {
      values[i] += factor * block[i];
    }
  }
}

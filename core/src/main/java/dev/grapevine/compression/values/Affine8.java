package dev.grapevine.compression.values;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Eight-bit affine quantization as PyTorch's {@code quantize_per_tensor} with the scale and zero
 * point of its {@code MinMaxObserver}: q = clamp(round(x/scale) + zero, 0, 255), where scale =
 * (max(x, 0) − min(x, 0))/255, and back x' = (q − zero)·scale. Zero stays zero. A run that holds a
 * NaN or an infinity travels raw.
 */
@Kind(
    name = "affine8",
    summary = "8-bit affine quantization between the smallest and the largest value",
    paper = "B. Jacob et al., Quantization and training of neural networks, CVPR 2018")
public final class Affine8 implements FloatCodec {

  private static final int STEPS = 255;

  @Override
  public void encode(float[] values, int count, PayloadWriter out, Scratch scratch) {
    float smallest = 0;
    float largest = 0;
    for (int i = 0; i < count; i++) {
      smallest = Math.min(smallest, values[i]);
      largest = Math.max(largest, values[i]);
    }
    // Both are NaN if any value is.
    if (!Form.isFinite(smallest) || !Form.isFinite(largest)) {
      Form.writeRaw(values, count, out);
      return;
    }
    float scale = Math.max(Float.MIN_NORMAL, (float) (((double) largest - smallest) / STEPS));
    float inverse = 1 / scale;
    int zero = (int) Math.clamp(Math.rint(-smallest * inverse), 0, STEPS);
    out.writeByte(Form.CODED);
    out.writeFloat(scale);
    out.writeByte(zero);
    int at = out.claim(count);
    byte[] bytes = out.array();
    float shift = zero + 0.5f;
    for (int i = 0; i < count; i++) {
      int level = (int) (values[i] * inverse + shift);
      bytes[at + i] = (byte) Math.max(0, Math.min(STEPS, level));
    }
  }

  @Override
  public void decode(ByteBuffer in, float[] values, int count, Scratch scratch) {
    if (Form.readRaw(in, values, count)) {
      return;
    }
    Remaining.require(in, Float.BYTES + 1L + count);
    in.order(ByteOrder.LITTLE_ENDIAN);
    float scale = in.getFloat();
    if (!(scale > 0 && scale <= Float.MAX_VALUE)) {
      throw new MalformedPayloadException("scale is no positive number: scale=" + scale);
    }
    int zero = in.get() & 0xff;
    int at = in.position();
    for (int i = 0; i < count; i++) {
      float value = ((in.get(at + i) & 0xff) - zero) * scale;
      values[i] = Math.max(-Float.MAX_VALUE, Math.min(Float.MAX_VALUE, value));
    }
    in.position(at + count);
  }

  /** Half a step of the widest range, and what rounding in single precision adds. */
  @Override
  public double errorBound(float magnitude) {
    return Math.max(magnitude / (double) STEPS * (1 + 1e-4), Float.MIN_NORMAL);
  }
}

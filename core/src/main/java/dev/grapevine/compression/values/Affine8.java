package dev.grapevine.compression.values;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Eight-bit affine quantization as PyTorch's {@code quantize_per_tensor} with the scale and zero
 * point of its {@code MinMaxObserver}: q = clamp(round(x/scale) + zero, 0, 255), where scale =
 * (max(x, 0) − min(x, 0))/255, and back x' = (q − zero)·scale. Zero stays zero. A run that holds a
 * NaN or an infinity travels raw. The JWINS++ thesis divides by 256 instead (its text): the largest
 * value then falls off the end and is clamped by up to a step.
 */
@Kind(
    name = "affine8",
    summary = "8-bit affine quantization between the smallest and the largest value",
    paper = "B. Jacob et al., Quantization and training of neural networks, CVPR 2018")
public final class Affine8 implements FloatCodec {

  private static final int STEPS = 255;

  /**
   * @param divisor what the range is divided by for a step
   */
  public record Settings(
      @Doc("what the range is divided by: 255, or 256 as in the JWINS++ thesis") @Default("255")
          int divisor) {
    public Settings {
      require(
          divisor == 255 || divisor == 256,
          "divisor",
          "divisor must be 255 or 256: divisor=" + divisor);
    }
  }

  private final int divisor;

  public Affine8(Settings settings) {
    divisor = settings.divisor();
  }

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
    float scale = Math.max(Float.MIN_NORMAL, (float) (((double) largest - smallest) / divisor));
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

  /**
   * Half a step of the widest range, and what rounding in single precision adds; of the largest
   * value a step and a half where the divisor is 256.
   */
  @Override
  public double errorBound(float magnitude) {
    double half = magnitude / (double) divisor * (1 + 1e-4);
    return Math.max(divisor > STEPS ? 3 * half : half, Float.MIN_NORMAL);
  }
}

package dev.grapevine.security.masking;

import dev.grapevine.engine.kernel.SignalKernels;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.SettingException;

/**
 * Weighted values as whole numbers that add up exactly, whatever the order, modulo 2³² or 2¹⁶. A
 * value is clipped to ±range (but for a little, see below), times its weight, times 2^f, rounded;
 * with range 2^b and 32 bits f is 31 − b.
 *
 * <p>The weights of those who are added up come to at most one, so their sum stays below range ·
 * 2^f = 2³¹: it needs no room for their number. What rounding adds, half a unit each, fits into
 * what clipping leaves free, 2⁻²⁰ of the range: enough for {@link #mostSenders}. With 16 bits
 * rounding is by lot, so that the mean is kept, and may be off by a whole unit; the room is 2⁻⁶.
 *
 * @param bits of a number: 32 or 16
 * @param range the largest magnitude of a value, a power of two
 */
public record FixedPoint(int bits, int range) {

  /** By how much the weights of a sum may pass one for rounding. */
  public static final double WEIGHT_SLACK = 1e-12;

  public FixedPoint {
    SettingException.require(
        bits == 32 || bits == 16, "bits", "bits must be 32 or 16: bits=" + bits);
    SettingException.require(
        range >= 1 && range <= 1 << 20 && Integer.bitCount(range) == 1,
        "range",
        "range must be a power of two from 1 to 1048576: range=" + range);
    SettingException.require(
        bits == 32 || range <= 1 << 10,
        "range",
        "with 16 bits a range above 1024 leaves nothing behind the point: range=" + range);
  }

  /** Up to how many can be added up without wrapping. */
  public int mostSenders() {
    return bits == 32 ? 4095 : 511;
  }

  /** How many bits stand behind the point. */
  public int fraction() {
    return bits - 1 - Integer.numberOfTrailingZeros(range);
  }

  /** The largest magnitude that is not clipped. */
  public double limit() {
    return range * (1 - (bits == 32 ? 0x1p-20 : 0x1p-6));
  }

  /** How many values would be clipped, or -1 if one is not finite. */
  public int examine(float[] values, int count) {
    int clipped = SignalKernels.best().countBeyond((float) limit(), values, 0, count);
    boolean isFinite =
        clipped == 0 || SignalKernels.best().countBeyond(Float.MAX_VALUE, values, 0, count) == 0;
    return isFinite ? clipped : -1;
  }

  /**
   * Writes the numbers of weighted values, all of them finite. Does not look for itself whether
   * some are to be clipped: a method with a long loop is compiled at its first calls, and vector
   * instructions that it took in then were made of objects, in one launch of three.
   *
   * @param clips whether {@link #examine} found values to clip
   * @param lot what rounding by lot depends on; unused with 32 bits
   */
  public void write(
      float[] values, int count, double weight, boolean clips, long lot, int[] numbers) {
    float limit = (float) limit();
    double scale = weight * Math.scalb(1.0, fraction());
    if (bits == 32 && !clips) {
      // As below, in half the time.
      for (int i = 0; i < count; i++) {
        numbers[i] = (int) Math.rint(values[i] * scale);
      }
      return;
    }
    if (bits == 32) {
      for (int i = 0; i < count; i++) {
        numbers[i] = (int) Math.rint(Math.max(-limit, Math.min(limit, values[i])) * scale);
      }
      return;
    }
    long state = lot;
    for (int i = 0; i < count; i++) {
      state += SplitMix.GOLDEN_GAMMA;
      double chance = (SplitMix.finish(state) >>> 11) * 0x1p-53;
      numbers[i] = (int) Math.floor(Math.max(-limit, Math.min(limit, values[i])) * scale + chance);
    }
  }

  /**
   * Reads sums of numbers as means.
   *
   * @param weight the weight of all that was added up
   * @param at where the first mean is written
   */
  public void read(int[] sums, int count, double weight, float[] means, int at) {
    double scale = Math.scalb(1.0, -fraction()) / weight;
    if (bits == 32) {
      for (int i = 0; i < count; i++) {
        means[at + i] = (float) (sums[i] * scale);
      }
    } else {
      for (int i = 0; i < count; i++) {
        means[at + i] = (float) ((short) sums[i] * scale);
      }
    }
  }
}

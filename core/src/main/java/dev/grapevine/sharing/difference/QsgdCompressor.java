package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Update;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.random.SplitMix;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.sharing.SharingContext;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/**
 * QSGD: each value of a bucket becomes its sign and one of s+1 levels of the bucket's norm, rounded
 * up or down by lot so that the expectation is the value: C(v)_i = ‖v‖ · sgn(v_i) · ℓ_i / s with s
 * = 2^(bits−1) − 1. The norm is the Euclidean one, for which the paper's theorems are, or the
 * largest magnitude, whose levels lie closer: on buckets of 512 normal values the relative variance
 * E‖C(v) − v‖²/‖v‖² is 17, 5.0, 1.6 and 0.38 at 2, 3, 4 and 5 bits with the first, and 0.03 at 4
 * bits with the second.
 *
 * <p>Written as four bytes of norm a bucket and {@code bits} bits a value, lowest bits first. The
 * paper's Elias codes pay off for very few levels only. A bucket whose norm is not finite is
 * refused by the receiver. Error of a value: at most ‖v‖ / s.
 */
@Kind(
    name = "qsgd",
    summary = "stochastic quantization to a few bits a value",
    paper = "Alistarh, Grubic, Li, Tomioka, Vojnovic, QSGD, 2017")
public final class QsgdCompressor implements Compressor {

  /** What a bucket is scaled by. */
  public enum Norm {
    /** The square root of the sum of squares. */
    EUCLIDEAN,
    /** The largest magnitude. */
    MAX
  }

  private final int bits;
  private final int bucket;
  private final Norm norm;
  private final int levels;
  private final RandomGenerator random;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("bits a value, its sign included, from 2 to 16") @Default("8") int bits,
      @Doc("values that share one norm, at least 1") @Default("512") int bucket,
      @Doc("what levels are shares of: euclidean, as in the paper, or max, with less noise")
          @Default("euclidean")
          Norm norm) {
    public Settings {
      SettingException.require(
          bits >= 2 && bits <= 16, "bits", "bits must be from 2 to 16: bits=" + bits);
      SettingException.require(
          bucket >= 1, "bucket", "bucket must be at least 1: bucket=" + bucket);
    }
  }

  public QsgdCompressor(Settings settings, SharingContext context) {
    bits = settings.bits();
    bucket = settings.bucket();
    norm = settings.norm();
    levels = (1 << (bits - 1)) - 1;
    random = context.random();
  }

  @Override
  public void compress(float[] vector, int size, PayloadWriter out, Scratch scratch) {
    long state = random.nextLong();
    int[] codes = scratch.ints("sharing.indices", Math.min(bucket, size));
    for (int from = 0; from < size; from += bucket) {
      int length = Math.min(bucket, size - from);
      float unit = norm(vector, from, length);
      float scale = unit > 0 ? levels / unit : 0;
      for (int i = 0; i < length; i++) {
        state += SplitMix.GOLDEN_GAMMA;
        // 24 random bits are all that a float in [0, 1) can hold.
        float lot = (SplitMix.finish(state) >>> 40) * 0x1p-24f;
        float value = vector[from + i];
        int level = Math.min(levels, (int) (Math.abs(value) * scale + lot));
        codes[i] = level << 1 | Float.floatToRawIntBits(value) >>> 31;
      }
      out.writeFloat(unit);
      PackedCodes.write(codes, length, bits, out);
    }
  }

  private float norm(float[] vector, int from, int length) {
    if (norm == Norm.MAX) {
      float largest = 0;
      for (int i = from; i < from + length; i++) {
        largest = Math.max(largest, Math.abs(vector[i]));
      }
      return largest;
    }
    double squares = 0;
    for (int i = from; i < from + length; i++) {
      squares += (double) vector[i] * vector[i];
    }
    return (float) Math.sqrt(squares);
  }

  @Override
  public Update decode(ByteBuffer in, int size, Scratch scratch) {
    int start = in.position();
    for (int from = 0; from < size; from += bucket) {
      int bytes = PackedCodes.size(Math.min(bucket, size - from), bits);
      Incoming.require(in, Float.BYTES + (long) bytes);
      float norm = in.getFloat();
      if (!(norm >= 0) || norm == Float.POSITIVE_INFINITY) {
        throw new MalformedPayloadException(
            "bucket has no norm: first value=%d, norm=%s".formatted(from, norm));
      }
      in.position(in.position() + bytes);
    }
    // A word may be read at the last code.
    byte[] packed =
        scratch.bytes("qsgd.packed", PackedCodes.size(Math.min(bucket, size), bits) + Long.BYTES);
    return new Quantized(in.duplicate().order(in.order()).position(start), size, packed);
  }

  /** Buckets that have been looked over, in the message itself. */
  private final class Quantized implements Update {

    private final ByteBuffer in;
    private final int size;
    private final byte[] packed;

    Quantized(ByteBuffer in, int size, byte[] packed) {
      this.in = in;
      this.size = size;
      this.packed = packed;
    }

    @Override
    public boolean isWhole() {
      return true;
    }

    /** No bucket was taken whose norm is not. */
    @Override
    public boolean isFinite() {
      return true;
    }

    @Override
    public void read(int from, int length, float[] own, float[] block) {
      float[] all = new float[size];
      addTo(all, 1);
      System.arraycopy(all, from, block, 0, length);
    }

    @Override
    public void addTo(float[] sum, float weight) {
      ByteBuffer rest = in.duplicate().order(in.order());
      for (int from = 0; from < size; from += bucket) {
        int length = Math.min(bucket, size - from);
        float norm = rest.getFloat();
        rest.get(packed, 0, PackedCodes.size(length, bits));
        addCodes(packed, weight * norm / levels, sum, from, length);
      }
    }
  }

  private void addCodes(byte[] packed, float unit, float[] sum, int from, int length) {
    int mask = (1 << bits) - 1;
    long at = 0;
    for (int i = 0; i < length; i++) {
      int code = PackedCodes.read(packed, at, mask);
      at += bits;
      // Signs are even odds, so the lowest bit becomes the sign without a branch.
      int value = Float.floatToRawIntBits(unit * (code >>> 1)) ^ code << 31;
      sum[from + i] += Float.intBitsToFloat(value);
    }
  }

  @Override
  public boolean unbiased() {
    return true;
  }

  /**
   * A value's variance is at most a quarter of a squared step, and at most a step times its
   * magnitude.
   */
  @Override
  public double variance(int size) {
    double values = Math.min(bucket, size);
    double squares = values / ((double) levels * levels);
    return Math.min(norm == Norm.MAX ? squares / 4 : squares, Math.sqrt(values) / levels);
  }

  /**
   * With steps above most values, step · E|v_i| / σ² − 1; with finer ones, a sixth of the squared
   * step. The largest of d normal values is about √(2 ln 2d).
   */
  @Override
  public double usualVariance() {
    double unit = norm == Norm.MAX ? Math.sqrt(2 * Math.log(2.0 * bucket)) : Math.sqrt(bucket);
    double step = unit / levels;
    return Math.max(Math.min(step * step, 1) / 6, Math.sqrt(2 / Math.PI) * step - 1);
  }
}

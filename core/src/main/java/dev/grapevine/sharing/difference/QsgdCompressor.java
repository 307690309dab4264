package dev.grapevine.sharing.difference;

import dev.grapevine.compression.Scratch;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.sharing.RandomMask;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.sharing.Workspace;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;

/**
 * QSGD: each value of a bucket becomes its sign and one of s+1 levels of the bucket's norm, rounded
 * up or down by lot so that the expectation is the value: C(v)_i = ‖v‖₂ · sgn(v_i) · ℓ_i / s with s
 * = 2^(bits−1) − 1.
 *
 * <p>Written as four bytes of norm a bucket and {@code bits} bits a value, lowest bits first. The
 * paper's Elias codes pay off for very few levels only. A bucket whose norm is not finite is
 * refused by the receiver. Error of a value: at most ‖v‖₂ / s.
 */
@Kind(
    name = "qsgd",
    summary = "stochastic quantization to a few bits a value",
    paper = "Alistarh, Grubic, Li, Tomioka, Vojnovic, QSGD, 2017")
public final class QsgdCompressor implements Compressor {

  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final int bits;
  private final int bucket;
  private final int levels;
  private final RandomGenerator random;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("bits a value, its sign included, from 2 to 16") @Default("8") int bits,
      @Doc("values that share one norm, at least 1") @Default("512") int bucket) {
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
    levels = (1 << (bits - 1)) - 1;
    random = context.random();
  }

  @Override
  public void compress(float[] vector, int size, PayloadWriter out, Workspace workspace) {
    long state = random.nextLong();
    int[] codes = workspace.ints(0, Math.min(bucket, size));
    for (int from = 0; from < size; from += bucket) {
      int length = Math.min(bucket, size - from);
      double squares = 0;
      for (int i = 0; i < length; i++) {
        squares += (double) vector[from + i] * vector[from + i];
      }
      float norm = (float) Math.sqrt(squares);
      float scale = norm > 0 ? levels / norm : 0;
      for (int i = 0; i < length; i++) {
        state += GOLDEN_GAMMA;
        // 24 random bits are all that a float in [0, 1) can hold.
        float lot = (RandomMask.mix(state) >>> 40) * 0x1p-24f;
        float value = vector[from + i];
        int level = Math.min(levels, (int) (Math.abs(value) * scale + lot));
        codes[i] = level << 1 | Float.floatToRawIntBits(value) >>> 31;
      }
      out.writeFloat(norm);
      pack(codes, length, out);
    }
  }

  private void pack(int[] codes, int length, PayloadWriter out) {
    int bytes = packedSize(length);
    int at = out.claim(bytes);
    byte[] target = out.array();
    long pending = 0;
    int used = 0;
    for (int i = 0; i < length; i++) {
      pending |= (long) codes[i] << used;
      used += bits;
      while (used >= 8) {
        target[at++] = (byte) pending;
        pending >>>= 8;
        used -= 8;
      }
    }
    if (used > 0) {
      target[at] = (byte) pending;
    }
  }

  private int packedSize(int length) {
    return (int) (((long) length * bits + 7) / 8);
  }

  @Override
  public void add(ByteBuffer in, float weight, float[] sum, int size, Workspace workspace) {
    // A word may be read at the last code.
    byte[] packed = Scratch.bytes(packedSize(Math.min(bucket, size)) + Long.BYTES);
    for (int from = 0; from < size; from += bucket) {
      int length = Math.min(bucket, size - from);
      int bytes = packedSize(length);
      Incoming.require(in, Float.BYTES + (long) bytes);
      float norm = in.getFloat();
      if (!(norm >= 0) || norm == Float.POSITIVE_INFINITY) {
        throw new MalformedPayloadException(
            "bucket has no norm: first value=%d, norm=%s".formatted(from, norm));
      }
      in.get(packed, 0, bytes);
      addCodes(packed, weight * norm / levels, sum, from, length);
    }
    Scratch.giveBack(packed);
  }

  private void addCodes(byte[] packed, float unit, float[] sum, int from, int length) {
    int mask = (1 << bits) - 1;
    long at = 0;
    for (int i = 0; i < length; i++) {
      int code = (int) ((long) LONG.get(packed, (int) (at >>> 3)) >>> (at & 7)) & mask;
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
}

package dev.grapevine.engine.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Plain loops: the definition, and what is left over when vectors have done the rest. */
final class ScalarSignalKernels implements SignalKernels {

  private static final VarHandle FLOATS =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

  @Override
  public void part(float[] x, int at, float[] even, float[] odd, int count) {
    part(x, at, even, odd, 0, count);
  }

  static void part(float[] x, int at, float[] even, float[] odd, int from, int count) {
    for (int i = from; i < count; i++) {
      even[i] = x[at + 2 * i];
      odd[i] = x[at + 2 * i + 1];
    }
  }

  @Override
  public void interleave(float[] even, float[] odd, int count, float[] x, int at) {
    interleave(even, odd, 0, count, x, at);
  }

  static void interleave(float[] even, float[] odd, int from, int count, float[] x, int at) {
    for (int i = from; i < count; i++) {
      x[at + 2 * i] = even[i];
      x[at + 2 * i + 1] = odd[i];
    }
  }

  @Override
  public void filter(
      Slice x,
      Slice y,
      int count,
      float[] firstTaps,
      Slice first,
      float[] secondTaps,
      Slice second) {
    filter(x, y, 0, count, firstTaps, first);
    filter(x, y, 0, count, secondTaps, second);
  }

  static void filter(Slice x, Slice y, int from, int count, float[] taps, Slice out) {
    float[] xs = x.values();
    float[] ys = y.values();
    int xAt = x.at();
    int yAt = y.at();
    for (int i = from; i < count; i++) {
      float sum = taps[0] * xs[xAt + i] + taps[1] * ys[yAt + i];
      for (int t = 1; 2 * t < taps.length; t++) {
        sum += taps[2 * t] * xs[xAt + i + t] + taps[2 * t + 1] * ys[yAt + i + t];
      }
      out.values()[out.at() + i] = sum;
    }
  }

  @Override
  public void markFrom(float bar, float[] scores, int count, long[] marks) {
    markFrom(bar, scores, 0, count, marks);
  }

  /** From a multiple of 64 on. */
  static void markFrom(float bar, float[] scores, int from, int count, long[] marks) {
    // Bits of floats that are not negative stand in the same order as the floats, NaN above all.
    int below = Float.floatToRawIntBits(bar) - 1;
    for (int first = from; first < count; first += Long.SIZE) {
      int length = Math.min(Long.SIZE, count - first);
      long word = 0;
      for (int i = 0; i < length; i++) {
        long above = (below - Float.floatToRawIntBits(scores[first + i])) >>> 31;
        word |= above << i;
      }
      marks[first >>> 6] = word;
    }
  }

  @Override
  public int countBeyond(float limit, float[] x, int at, int count) {
    return beyond(limit, x, at, count);
  }

  static int beyond(float limit, float[] x, int at, int count) {
    int within = 0;
    for (int i = at; i < at + count; i++) {
      within += Math.abs(x[i]) <= limit ? 1 : 0;
    }
    return count - within;
  }

  @Override
  public boolean areFinite(float[] x, int at, int count) {
    return beyond(Float.MAX_VALUE, x, at, count) == 0;
  }

  @Override
  public void addScaled(float factor, float[] x, float[] sum, int at, int count) {
    addScaled(factor, x, sum, at, 0, count);
  }

  static void addScaled(float factor, float[] x, float[] sum, int at, int from, int count) {
    for (int i = from; i < count; i++) {
      sum[at + i] += factor * x[i];
    }
  }

  @Override
  public void addScaled(float factor, byte[] x, int begin, float[] sum, int at, int count) {
    addScaled(factor, x, begin, sum, at, 0, count);
  }

  static void addScaled(
      float factor, byte[] x, int begin, float[] sum, int at, int from, int count) {
    for (int i = from; i < count; i++) {
      sum[at + i] += factor * (float) FLOATS.get(x, begin + i * Float.BYTES);
    }
  }
}

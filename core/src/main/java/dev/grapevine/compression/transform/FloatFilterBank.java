package dev.grapevine.compression.transform;

import dev.grapevine.compression.Scratch;

/**
 * One level of a wavelet transform in single precision. Works block by block: a block's even and
 * odd samples are first parted, so that every tap becomes a plain loop over neighbouring floats.
 */
final class FloatFilterBank {

  /** Outputs per block; the parted samples of one block stay in the first-level cache. */
  private static final int BLOCK = 1024;

  private final int taps;
  private final int pairs;
  private final float[] decomposeLow;
  private final float[] decomposeHigh;
  private final float[] reconstructLow;
  private final float[] reconstructHigh;

  FloatFilterBank(WaveletFilters filters) {
    taps = filters.length();
    pairs = taps / 2;
    decomposeLow = toFloats(filters.decomposeLow());
    decomposeHigh = toFloats(filters.decomposeHigh());
    reconstructLow = toFloats(filters.reconstructLow());
    reconstructHigh = toFloats(filters.reconstructHigh());
  }

  /** Where sample {@code i} of the half-point symmetric extension of n samples lies. */
  static int mirror(int i, int n) {
    int period = Math.floorMod(i, 2 * n);
    return period < n ? period : 2 * n - 1 - period;
  }

  /** Splits x[at, at+n) into ⌊(n+taps−1)/2⌋ approximations and as many details. */
  void analyse(float[] x, int at, int n, float[] low, int lowAt, float[] high, int highAt) {
    int outputs = (n + taps - 1) / 2;
    // Outputs [first, last) touch no sample outside.
    int first = Math.min(pairs - 1, outputs);
    int last = Math.max(first, n / 2);
    analyseEdge(x, at, n, 0, first, low, lowAt, high, highAt);
    float[] even = Scratch.floats(BLOCK + pairs);
    float[] odd = Scratch.floats(BLOCK + pairs);
    for (int i = first; i < last; i += BLOCK) {
      int count = Math.min(BLOCK, last - i);
      part(x, at + 2 * (i - pairs + 1), even, odd, count + pairs - 1);
      filter(even, odd, count, low, lowAt + i, decomposeLow);
      filter(even, odd, count, high, highAt + i, decomposeHigh);
    }
    Scratch.giveBack(even);
    Scratch.giveBack(odd);
    analyseEdge(x, at, n, last, outputs, low, lowAt, high, highAt);
  }

  private void analyseEdge(
      float[] x,
      int at,
      int n,
      int from,
      int to,
      float[] low,
      int lowAt,
      float[] high,
      int highAt) {
    for (int i = from; i < to; i++) {
      float a = 0;
      float d = 0;
      for (int j = 0; j < taps; j++) {
        float value = x[at + mirror(2 * i + 1 - j, n)];
        a += decomposeLow[j] * value;
        d += decomposeHigh[j] * value;
      }
      low[lowAt + i] = a;
      high[highAt + i] = d;
    }
  }

  private static void part(float[] x, int at, float[] even, float[] odd, int count) {
    for (int i = 0; i < count; i++) {
      even[i] = x[at + 2 * i];
      odd[i] = x[at + 2 * i + 1];
    }
  }

  /**
   * out[i] = Σₜ h[2t]·odd[i−t] + h[2t+1]·even[i−t], where the parted samples start pairs−1 early.
   */
  private void filter(float[] even, float[] odd, int count, float[] out, int outAt, float[] h) {
    int t = 0;
    if (pairs % 2 == 1) {
      scale(odd, even, pairs - 1, h[0], h[1], count, out, outAt);
      t = 1;
    } else {
      scaleTwo(odd, even, pairs - 2, h[2], h[3], h[0], h[1], count, out, outAt);
      t = 2;
    }
    for (; t < pairs; t += 2) {
      addTwo(
          odd,
          even,
          pairs - 2 - t,
          h[2 * t + 2],
          h[2 * t + 3],
          h[2 * t],
          h[2 * t + 1],
          count,
          out,
          outAt);
    }
  }

  /** Joins {@code length} approximations and details into x[at, at+n). */
  void synthesise(
      float[] low, int lowAt, float[] high, int highAt, int length, float[] x, int at, int n) {
    float[] even = Scratch.floats(BLOCK);
    float[] odd = Scratch.floats(BLOCK);
    int halves = (n + 1) / 2;
    for (int i = 0; i < halves; i += BLOCK) {
      int count = Math.min(BLOCK, halves - i);
      join(low, lowAt + i, high, highAt + i, count, even, 0);
      join(low, lowAt + i, high, highAt + i, count, odd, 1);
      int whole = Math.min(count, n / 2 - i);
      interleave(even, odd, whole, x, at + 2 * i);
      if (whole < count) {
        x[at + n - 1] = even[whole];
      }
    }
    Scratch.giveBack(even);
    Scratch.giveBack(odd);
  }

  /** x[2m+p] = Σₜ low[m+t]·g[L−2−2t+p] + high[m+t]·r[L−2−2t+p]. */
  private void join(
      float[] low, int lowAt, float[] high, int highAt, int count, float[] out, int parity) {
    for (int t = 0; t < pairs; t++) {
      int tap = taps - 2 - 2 * t + parity;
      float g = reconstructLow[tap];
      float r = reconstructHigh[tap];
      int a = lowAt + t;
      int d = highAt + t;
      if (t == 0) {
        for (int i = 0; i < count; i++) {
          out[i] = g * low[a + i] + r * high[d + i];
        }
      } else {
        for (int i = 0; i < count; i++) {
          out[i] += g * low[a + i] + r * high[d + i];
        }
      }
    }
  }

  private static void interleave(float[] even, float[] odd, int count, float[] x, int at) {
    for (int i = 0; i < count; i++) {
      x[at + 2 * i] = even[i];
      x[at + 2 * i + 1] = odd[i];
    }
  }

  private static void scale(
      float[] odd, float[] even, int shift, float a, float b, int count, float[] out, int at) {
    for (int i = 0; i < count; i++) {
      out[at + i] = a * odd[shift + i] + b * even[shift + i];
    }
  }

  private static void scaleTwo(
      float[] odd,
      float[] even,
      int shift,
      float a,
      float b,
      float c,
      float d,
      int count,
      float[] out,
      int at) {
    for (int i = 0; i < count; i++) {
      out[at + i] =
          (a * odd[shift + i] + b * even[shift + i])
              + (c * odd[shift + 1 + i] + d * even[shift + 1 + i]);
    }
  }

  private static void addTwo(
      float[] odd,
      float[] even,
      int shift,
      float a,
      float b,
      float c,
      float d,
      int count,
      float[] out,
      int at) {
    for (int i = 0; i < count; i++) {
      out[at + i] +=
          (a * odd[shift + i] + b * even[shift + i])
              + (c * odd[shift + 1 + i] + d * even[shift + 1 + i]);
    }
  }

  private static float[] toFloats(double[] values) {
    float[] result = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      result[i] = (float) values[i];
    }
    return result;
  }
}

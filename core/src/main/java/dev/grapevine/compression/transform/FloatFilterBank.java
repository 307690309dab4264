package dev.grapevine.compression.transform;

import dev.grapevine.engine.kernel.SignalKernels;
import dev.grapevine.engine.kernel.Slice;
import dev.grapevine.scratch.Scratch;

/**
 * One level of a wavelet transform in single precision. Works block by block: a block's even and
 * odd samples are parted on the way in and joined on the way out, so that all taps work on values
 * that lie side by side.
 */
final class FloatFilterBank {

  /** Outputs per block; the arrays of one block stay in the first-level cache. */
  private static final int BLOCK = 1024;

  private static final SignalKernels KERNELS = SignalKernels.best();

  private final int taps;
  private final int pairs;
  private final float[] decomposeLow;
  private final float[] decomposeHigh;

  // Taps in the order in which the kernels meet the samples.
  private final float[] low;
  private final float[] high;
  private final float[] even;
  private final float[] odd;

  FloatFilterBank(WaveletFilters filters) {
    taps = filters.length();
    pairs = taps / 2;
    decomposeLow = toFloats(filters.decomposeLow());
    decomposeHigh = toFloats(filters.decomposeHigh());
    low = oldestFirst(decomposeLow);
    high = oldestFirst(decomposeHigh);
    even = alternating(filters, 0);
    odd = alternating(filters, 1);
  }

  /** Taps 2t (of the odd sample) and 2t+1 (of the even one) from the last pair to the first. */
  private static float[] oldestFirst(float[] filter) {
    float[] ordered = new float[filter.length];
    for (int t = 0; t < filter.length; t += 2) {
      int to = filter.length - 2 - t;
      ordered[to] = filter[t];
      ordered[to + 1] = filter[t + 1];
    }
    return ordered;
  }

  /** The taps that make the samples of one parity out of approximations and details in turn. */
  private static float[] alternating(WaveletFilters filters, int parity) {
    int taps = filters.length();
    float[] ordered = new float[taps];
    for (int t = 0; t < taps; t += 2) {
      ordered[t] = (float) filters.reconstructLow()[taps - 2 - t + parity];
      ordered[t + 1] = (float) filters.reconstructHigh()[taps - 2 - t + parity];
    }
    return ordered;
  }

  /** Where sample {@code i} of the half-point symmetric extension of n samples lies. */
  static int mirror(int i, int n) {
    int period = Math.floorMod(i, 2 * n);
    return period < n ? period : 2 * n - 1 - period;
  }

  /** Splits n samples into ⌊(n+taps−1)/2⌋ approximations and as many details. */
  void analyse(Slice x, int n, Slice low, Slice high, Block block) {
    int outputs = (n + taps - 1) / 2;
    // Outputs [first, last) touch no sample outside.
    int first = Math.min(pairs - 1, outputs);
    int last = Math.max(first, n / 2);
    analyseEdge(x, n, 0, first, low, high);
    // out[i] = Σₜ h[2t]·odd[i−t] + h[2t+1]·even[i−t]
    for (int i = first; i < last; i += BLOCK) {
      int count = Math.min(BLOCK, last - i);
      int oldest = x.at() + 2 * (i - pairs + 1);
      KERNELS.part(x.values(), oldest, block.even, block.odd, count + pairs - 1);
      KERNELS.filter(
          block.odds, block.evens, count, this.low, low.plus(i), this.high, high.plus(i));
    }
    analyseEdge(x, n, last, outputs, low, high);
  }

  private void analyseEdge(Slice x, int n, int from, int to, Slice low, Slice high) {
    for (int i = from; i < to; i++) {
      float a = 0;
      float d = 0;
      for (int j = 0; j < taps; j++) {
        float value = x.values()[x.at() + mirror(2 * i + 1 - j, n)];
        a += decomposeLow[j] * value;
        d += decomposeHigh[j] * value;
      }
      low.values()[low.at() + i] = a;
      high.values()[high.at() + i] = d;
    }
  }

  /** Joins approximations and details into n samples. */
  void synthesise(Slice low, Slice high, Slice x, int n, Block block) {
    int halves = (n + 1) / 2;
    // x[2m+p] = Σₜ low[m+t]·g[L−2−2t+p] + high[m+t]·r[L−2−2t+p]
    for (int i = 0; i < halves; i += BLOCK) {
      int count = Math.min(BLOCK, halves - i);
      KERNELS.filter(low.plus(i), high.plus(i), count, even, block.evens, odd, block.odds);
      int whole = Math.min(count, n / 2 - i);
      KERNELS.interleave(block.even, block.odd, whole, x.values(), x.at() + 2 * i);
      if (whole < count) {
        x.values()[x.at() + n - 1] = block.even[whole];
      }
    }
  }

  private static float[] toFloats(double[] values) {
    float[] result = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      result[i] = (float) values[i];
    }
    return result;
  }

  /** The even and the odd samples of one block. */
  record Block(float[] even, float[] odd, Slice evens, Slice odds) {

    /** Room for the samples of the longest filter's taps. */
    private static final int ROOM = BLOCK + 64;

    static Block of(Scratch scratch) {
      float[] even = scratch.floats("wavelet.even", ROOM);
      float[] odd = scratch.floats("wavelet.odd", ROOM);
      return new Block(even, odd, new Slice(even, 0), new Slice(odd, 0));
    }
  }
}

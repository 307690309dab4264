package dev.grapevine.compression.transform;

import dev.grapevine.engine.kernel.SharingKernels;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * One level of a wavelet transform in single precision. Works block by block: a block's even and
 * odd samples are parted on the way in and joined on the way out, so that all taps work on values
 * that lie side by side.
 */
final class FloatFilterBank {

  /** Outputs per block; the arrays of one block stay in the first-level cache. */
  private static final int BLOCK = 1024;

  private static final SharingKernels KERNELS = SharingKernels.best();

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

  /** Splits x[at, at+n) into ⌊(n+taps−1)/2⌋ approximations and as many details. */
  void analyse(float[] x, int at, int n, float[] low, int lowAt, float[] high, int highAt) {
    int outputs = (n + taps - 1) / 2;
    // Outputs [first, last) touch no sample outside.
    int first = Math.min(pairs - 1, outputs);
    int last = Math.max(first, n / 2);
    analyseEdge(x, at, n, 0, first, low, lowAt, high, highAt);
    Block block = Block.borrow();
    // out[i] = Σₜ h[2t]·odd[i−t] + h[2t+1]·even[i−t]
    for (int i = first; i < last; i += BLOCK) {
      int count = Math.min(BLOCK, last - i);
      int oldest = at + 2 * (i - pairs + 1);
      KERNELS.part(x, oldest, block.even, block.odd, count + pairs - 1);
      KERNELS.filter(
          block.odd,
          0,
          block.even,
          0,
          count,
          this.low,
          low,
          lowAt + i,
          this.high,
          high,
          highAt + i);
    }
    block.giveBack();
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

  /** Joins {@code length} approximations and details into x[at, at+n). */
  void synthesise(float[] low, int lowAt, float[] high, int highAt, float[] x, int at, int n) {
    Block block = Block.borrow();
    int halves = (n + 1) / 2;
    // x[2m+p] = Σₜ low[m+t]·g[L−2−2t+p] + high[m+t]·r[L−2−2t+p]
    for (int i = 0; i < halves; i += BLOCK) {
      int count = Math.min(BLOCK, halves - i);
      KERNELS.filter(
          low, lowAt + i, high, highAt + i, count, even, block.even, 0, odd, block.odd, 0);
      int whole = Math.min(count, n / 2 - i);
      KERNELS.interleave(block.even, block.odd, whole, x, at + 2 * i);
      if (whole < count) {
        x[at + n - 1] = block.even[whole];
      }
    }
    block.giveBack();
  }

  private static float[] toFloats(double[] values) {
    float[] result = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      result[i] = (float) values[i];
    }
    return result;
  }

  /** The arrays of one block; a few serve all nodes of a process. */
  private static final class Block {

    private static final BlockingQueue<Block> POOL = new ArrayBlockingQueue<>(64);

    /** Room for the samples of the longest filter's taps. */
    private static final int ROOM = BLOCK + 64;

    private final float[] even = new float[ROOM];
    private final float[] odd = new float[ROOM];

    static Block borrow() {
      Block free = POOL.poll();
      return free == null ? new Block() : free;
    }

    void giveBack() {
      // A full pool drops it.
      boolean kept = POOL.offer(this);
      assert kept || POOL.remainingCapacity() == 0;
    }
  }
}

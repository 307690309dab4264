package dev.grapevine.compression.transform;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * One level of a wavelet transform in single precision. Works block by block: a block's even and
 * odd samples are first parted, and shifted copies made for further taps, so that every tap becomes
 * a loop over arrays at one and the same index. No other loop is vectorized: where indices differ,
 * the compiler cannot rule out that a store changes what a later turn loads.
 */
final class FloatFilterBank {

  /** Outputs per block; the arrays of one block stay in the first-level cache. */
  private static final int BLOCK = 512;

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
    Block block = Block.borrow();
    for (int i = first; i < last; i += BLOCK) {
      int count = Math.min(BLOCK, last - i);
      part(x, at + 2 * (i - pairs + 1), block.even, block.odd, count + pairs - 1);
      filter(block, count);
      System.arraycopy(block.low, 0, low, lowAt + i, count);
      System.arraycopy(block.high, 0, high, highAt + i, count);
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

  private static void part(float[] x, int at, float[] even, float[] odd, int count) {
    for (int i = 0; i < count; i++) {
      even[i] = x[at + 2 * i];
      odd[i] = x[at + 2 * i + 1];
    }
  }

  /**
   * out[i] = Σₜ h[2t]·odd[i−t] + h[2t+1]·even[i−t], where the parted samples start pairs−1 early.
   */
  private void filter(Block block, int count) {
    float[] h = decomposeLow;
    float[] g = decomposeHigh;
    int t = pairs % 2 == 1 ? 1 : 2;
    if (t == 1) {
      block.shiftParted(pairs - 1, count);
      scale(block.oddHere, block.evenHere, h[0], h[1], count, block.low);
      scale(block.oddHere, block.evenHere, g[0], g[1], count, block.high);
    } else {
      block.shiftPartedTwice(pairs - 2, count);
      scaleTwo(block, h[2], h[3], h[0], h[1], count, block.low);
      scaleTwo(block, g[2], g[3], g[0], g[1], count, block.high);
    }
    for (; t < pairs; t += 2) {
      int j = 2 * t;
      block.shiftPartedTwice(pairs - 2 - t, count);
      addTwo(block, h[j + 2], h[j + 3], h[j], h[j + 1], count, block.low);
      addTwo(block, g[j + 2], g[j + 3], g[j], g[j + 1], count, block.high);
    }
  }

  /** Joins {@code length} approximations and details into x[at, at+n). */
  void synthesise(
      float[] low, int lowAt, float[] high, int highAt, int length, float[] x, int at, int n) {
    Block block = Block.borrow();
    int halves = (n + 1) / 2;
    for (int i = 0; i < halves; i += BLOCK) {
      int count = Math.min(BLOCK, halves - i);
      join(low, lowAt + i, high, highAt + i, count, block);
      int whole = Math.min(count, n / 2 - i);
      interleave(block.even, block.odd, whole, x, at + 2 * i);
      if (whole < count) {
        x[at + n - 1] = block.even[whole];
      }
    }
    block.giveBack();
  }

  /** x[2m+p] = Σₜ low[m+t]·g[L−2−2t+p] + high[m+t]·r[L−2−2t+p]. */
  private void join(float[] low, int lowAt, float[] high, int highAt, int count, Block block) {
    float[] g = reconstructLow;
    float[] r = reconstructHigh;
    for (int t = 0; t < pairs; t++) {
      System.arraycopy(low, lowAt + t, block.low, 0, count);
      System.arraycopy(high, highAt + t, block.high, 0, count);
      int tap = taps - 2 - 2 * t;
      if (t == 0) {
        scale(block.low, block.high, g[tap], r[tap], count, block.even);
        scale(block.low, block.high, g[tap + 1], r[tap + 1], count, block.odd);
      } else {
        add(block.low, block.high, g[tap], r[tap], count, block.even);
        add(block.low, block.high, g[tap + 1], r[tap + 1], count, block.odd);
      }
    }
  }

  private static void interleave(float[] even, float[] odd, int count, float[] x, int at) {
    for (int i = 0; i < count; i++) {
      x[at + 2 * i] = even[i];
      x[at + 2 * i + 1] = odd[i];
    }
  }

  private static void scale(float[] x, float[] y, float a, float b, int count, float[] out) {
    for (int i = 0; i < count; i++) {
      out[i] = a * x[i] + b * y[i];
    }
  }

  private static void add(float[] x, float[] y, float a, float b, int count, float[] out) {
    for (int i = 0; i < count; i++) {
      out[i] += a * x[i] + b * y[i];
    }
  }

  private static void scaleTwo(
      Block block, float a, float b, float c, float d, int count, float[] out) {
    float[] odd = block.oddHere;
    float[] even = block.evenHere;
    float[] oddNext = block.oddNext;
    float[] evenNext = block.evenNext;
    for (int i = 0; i < count; i++) {
      out[i] = (a * odd[i] + b * even[i]) + (c * oddNext[i] + d * evenNext[i]);
    }
  }

  private static void addTwo(
      Block block, float a, float b, float c, float d, int count, float[] out) {
    float[] odd = block.oddHere;
    float[] even = block.evenHere;
    float[] oddNext = block.oddNext;
    float[] evenNext = block.evenNext;
    for (int i = 0; i < count; i++) {
      out[i] += (a * odd[i] + b * even[i]) + (c * oddNext[i] + d * evenNext[i]);
    }
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
    private final float[] evenHere = new float[BLOCK];
    private final float[] oddHere = new float[BLOCK];
    private final float[] evenNext = new float[BLOCK];
    private final float[] oddNext = new float[BLOCK];
    private final float[] low = new float[BLOCK];
    private final float[] high = new float[BLOCK];

    static Block borrow() {
      Block free = POOL.poll();
      return free == null ? new Block() : free;
    }

    void giveBack() {
      // A full pool drops it.
      boolean kept = POOL.offer(this);
      assert kept || POOL.remainingCapacity() == 0;
    }

    void shiftParted(int shift, int count) {
      System.arraycopy(even, shift, evenHere, 0, count);
      System.arraycopy(odd, shift, oddHere, 0, count);
    }

    void shiftPartedTwice(int shift, int count) {
      shiftParted(shift, count);
      System.arraycopy(even, shift + 1, evenNext, 0, count);
      System.arraycopy(odd, shift + 1, oddNext, 0, count);
    }
  }
}

package dev.grapevine.engine.kernel;

/** Plain loops: the definition, and what is left over when vectors have done the rest. */
final class ScalarSharingKernels implements SharingKernels {

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
      float[] x,
      int xAt,
      float[] y,
      int yAt,
      int count,
      float[] firstTaps,
      float[] first,
      int firstAt,
      float[] secondTaps,
      float[] second,
      int secondAt) {
    filter(x, xAt, y, yAt, 0, count, firstTaps, first, firstAt);
    filter(x, xAt, y, yAt, 0, count, secondTaps, second, secondAt);
  }

  static void filter(
      float[] x,
      int xAt,
      float[] y,
      int yAt,
      int from,
      int count,
      float[] taps,
      float[] out,
      int outAt) {
    for (int i = from; i < count; i++) {
      float sum = taps[0] * x[xAt + i] + taps[1] * y[yAt + i];
      for (int t = 1; 2 * t < taps.length; t++) {
        sum += taps[2 * t] * x[xAt + i + t] + taps[2 * t + 1] * y[yAt + i + t];
      }
      out[outAt + i] = sum;
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
}

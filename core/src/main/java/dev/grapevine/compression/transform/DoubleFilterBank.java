package dev.grapevine.compression.transform;

/** One level of a wavelet transform in double precision, straight from the definition. */
final class DoubleFilterBank {

  private final int taps;
  private final double[] decomposeLow;
  private final double[] decomposeHigh;
  private final double[] reconstructLow;
  private final double[] reconstructHigh;

  DoubleFilterBank(WaveletFilters filters) {
    taps = filters.length();
    decomposeLow = filters.decomposeLow();
    decomposeHigh = filters.decomposeHigh();
    reconstructLow = filters.reconstructLow();
    reconstructHigh = filters.reconstructHigh();
  }

  void analyse(double[] x, double[] low, double[] high, int highAt) {
    for (int i = 0; i < low.length; i++) {
      double a = 0;
      double d = 0;
      int newest = 2 * i + 1;
      boolean inside = newest < x.length && newest >= taps - 1;
      for (int j = 0; j < taps; j++) {
        double value = x[inside ? newest - j : FloatFilterBank.mirror(newest - j, x.length)];
        a += decomposeLow[j] * value;
        d += decomposeHigh[j] * value;
      }
      low[i] = a;
      high[highAt + i] = d;
    }
  }

  void synthesise(double[] low, double[] high, int highAt, double[] x) {
    for (int k = 0; k < x.length; k++) {
      double sum = 0;
      for (int t = 0; t < taps / 2; t++) {
        int i = k / 2 + t;
        int tap = taps - 2 - 2 * t + k % 2;
        sum += low[i] * reconstructLow[tap] + high[highAt + i] * reconstructHigh[tap];
      }
      x[k] = sum;
    }
  }
}

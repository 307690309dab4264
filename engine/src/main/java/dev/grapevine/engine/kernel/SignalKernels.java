package dev.grapevine.engine.kernel;

/**
 * Loops over long vectors that no compiler turns into vector instructions by itself: parting,
 * joining, filtering, comparing, adding what came as bytes. Stateless. Both implementations give
 * the same bits: no sum's order depends on the vector length.
 */
public interface SignalKernels {

  /** The kernels for this machine, chosen once together with {@link Kernels#best}. */
  static SignalKernels best() {
    return KernelChoice.BEST.signals();
  }

  /** Parts 2·count values: even[i] = x[at + 2i], odd[i] = x[at + 2i + 1]. */
  void part(float[] x, int at, float[] even, float[] odd, int count);

  /** Undoes {@link #part}. */
  void interleave(float[] even, float[] odd, int count, float[] x, int at);

  /**
   * Two filters over the same two signals, one step of a filter bank:
   *
   * <pre>
   * first[i]  = Σ_t firstTaps[2t]·x[i + t] + firstTaps[2t + 1]·y[i + t]
   * second[i] = Σ_t secondTaps[2t]·x[i + t] + secondTaps[2t + 1]·y[i + t]
   * </pre>
   *
   * for i below {@code count}. Targets must not overlap the signals.
   */
  void filter(
      Slice x,
      Slice y,
      int count,
      float[] firstTaps,
      Slice first,
      float[] secondTaps,
      Slice second);

  /**
   * Sets bit i of {@code marks} (bit i mod 64 of word i / 64) where scores[i] is at least {@code
   * bar}, and clears it elsewhere up to the end of the last word. Neither a score nor the bar may
   * be negative; a NaN lies above all.
   */
  void markFrom(float bar, float[] scores, int count, long[] marks);

  /**
   * How many of {@code count} magnitudes from {@code at} on are not at most {@code limit}; a NaN is
   * not.
   */
  int countBeyond(float limit, float[] x, int at, int count);

  /** Whether {@code count} values from {@code at} on are numbers, none infinite. */
  boolean areFinite(float[] x, int at, int count);

  /** sum[at + i] += factor · x[i] for i below {@code count}. */
  void addScaled(float factor, float[] x, float[] sum, int at, int count);

  /**
   * The same with little-endian floats.
   *
   * @param begin where in {@code x} they begin
   */
  void addScaled(float factor, byte[] x, int begin, float[] sum, int at, int count);
}

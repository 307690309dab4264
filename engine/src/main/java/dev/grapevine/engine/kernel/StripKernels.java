package dev.grapevine.engine.kernel;

/**
 * The loops of {@link MinimalFiltering} in one dimension, down the columns of an image: F(m, r)
 * turns t rows into t rows of points. Along the rows the convolution stays direct, so that no
 * number of channels leaves a vector empty: the floats of a row lie side by side, whatever they
 * mean.
 */
public interface StripKernels {

  /**
   * Bᵀ d: t rows of {@code count} floats to as many rows of points, {@code pointStride} apart. May
   * read and write up to one vector further.
   */
  void input(
      MinimalFiltering filtering,
      float[] image,
      int at,
      int rowStride,
      int count,
      float[] points,
      int to,
      int pointStride);

  /**
   * start + Aᵀ z: points of {@code width} neighbouring panels to m rows of pixels, {@code
   * columnStride} apart, each starting from a panel of values.
   */
  void output(
      MinimalFiltering filtering,
      float[] points,
      int at,
      int pointStride,
      int width,
      float[] image,
      int to,
      int rowStride,
      int columnStride,
      float[] start,
      int startAt);

  /** A dY: m rows of {@code count} floats to rows of points; whole panels of floats only. */
  void gradient(
      MinimalFiltering filtering,
      float[] image,
      int at,
      int rowStride,
      int count,
      float[] points,
      int to,
      int pointStride);

  /** G w: taps as [r²][panel] to points; the kernel's columns go {@code next} apart. */
  void weights(
      MinimalFiltering filtering,
      float[] taps,
      int at,
      float[] points,
      int to,
      int pointStride,
      int next);

  /** Gᵀ u: the way back, from columns that lie {@code next} apart to taps as [r²][panel]. */
  void weightGradient(
      MinimalFiltering filtering,
      float[] points,
      int at,
      int pointStride,
      int next,
      float[] taps,
      int to);

  /**
   * At one point, windows that slide along a row against one panel of outputs:
   *
   * <pre>
   * U[i][j] = (U[i][j] +) Σ_x V[x·vStride + i] · Z[x·zStride + j]
   * </pre>
   *
   * for i below {@code depth} and x below {@code count}; U's rows are one panel apart.
   */
  void outer(
      float[] v,
      int vAt,
      int vStride,
      float[] z,
      int zAt,
      int zStride,
      int count,
      float[] u,
      int uAt,
      int depth,
      boolean accumulate);
}

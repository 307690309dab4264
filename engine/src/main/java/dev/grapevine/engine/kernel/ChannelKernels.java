package dev.grapevine.engine.kernel;

/**
 * Loops over a run of pixels with the channels innermost, where each channel has its own terms. The
 * terms' sums are added to, so a caller runs over an image row by row.
 *
 * <p>The pooled forms join an affine map, ReLU and 2×2 max pooling: {@code pixels} then counts
 * output pixels, each fed by two pixels of a row and two of the next.
 */
public interface ChannelKernels {

  /** sum += Σ x. */
  void sums(float[] x, int xAt, int pixels, int channels, float[] sum, int sumAt);

  /** The terms' sum and product += Σ (x − center) and Σ (x − center)². */
  void moments(float[] x, int xAt, int pixels, int channels, ChannelTerms terms);

  /** y = scale·x + shift, then ReLU if wanted. */
  void affine(
      float[] x,
      int xAt,
      float[] y,
      int yAt,
      int pixels,
      int channels,
      ChannelTerms terms,
      boolean relu);

  /** With d = dy (where the ReLU let through): sum += Σ d, product += Σ d·(x − center). */
  void affineSums(
      float[] x,
      int xAt,
      float[] dy,
      int dyAt,
      int pixels,
      int channels,
      ChannelTerms terms,
      boolean relu);

  /** dx = scale·d + slope·x + offset. */
  void affineGradient(
      float[] x,
      int xAt,
      float[] dy,
      int dyAt,
      float[] dx,
      int dxAt,
      int pixels,
      int channels,
      ChannelTerms terms,
      boolean relu);

  /** y = max over the window of ReLU(scale·x + shift). */
  void pooled(
      float[] x,
      int xAt,
      int xStride,
      float[] y,
      int yAt,
      int pixels,
      int channels,
      ChannelTerms terms);

  /** As {@link #affineSums}; d reaches the first largest pixel of a window. */
  void pooledSums(
      float[] x,
      int xAt,
      int xStride,
      float[] dy,
      int dyAt,
      int pixels,
      int channels,
      ChannelTerms terms);

  /** As {@link #affineGradient} for all four pixels of each window. */
  void pooledGradient(
      float[] x,
      int xAt,
      int xStride,
      float[] dy,
      int dyAt,
      float[] dx,
      int dxAt,
      int dxStride,
      int pixels,
      int channels,
      ChannelTerms terms);
}

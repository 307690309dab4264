package dev.grapevine.engine.kernel;

/**
 * The loops of {@link MinimalFiltering}, on one panel of channels at a time. Point k of a
 * transformed tile lies {@code k · pointStride} floats after its first one; the tiles of a block
 * are neighbours, one panel apart. Scratch is of {@link MinimalFiltering#scratch}.
 */
public interface TileKernels {

  /**
   * A block has room for a multiple of so many tiles: products take six or eight at a time, and
   * what they write behind the last tile must not be the first one of the next point.
   */
  int TILES = 24;

  /** Tiles that a product takes at a time. */
  int atOnce();

  /** Bᵀ d B: t×t pixels of an image to the points of one tile. */
  void input(
      MinimalFiltering filtering,
      float[] image,
      int at,
      int rowStride,
      int columnStride,
      float[] points,
      int to,
      int pointStride,
      float[] scratch);

  /** start + Aᵀ z A: the points of one tile to m×m pixels, each starting from a panel of values. */
  void output(
      MinimalFiltering filtering,
      float[] points,
      int at,
      int pointStride,
      float[] image,
      int to,
      int rowStride,
      int columnStride,
      float[] start,
      int startAt,
      float[] scratch);

  /** A dY Aᵀ: m×m pixels of an output's gradient to the points of one tile. */
  void gradient(
      MinimalFiltering filtering,
      float[] image,
      int at,
      int rowStride,
      int columnStride,
      float[] points,
      int to,
      int pointStride,
      float[] scratch);

  /** G w Gᵀ: taps as [r²][panel] to points. */
  void weights(
      MinimalFiltering filtering,
      float[] taps,
      int at,
      float[] points,
      int to,
      int pointStride,
      float[] scratch);

  /** Gᵀ u G: points to taps as [r²][panel]. */
  void weightGradient(
      MinimalFiltering filtering,
      float[] points,
      int at,
      int pointStride,
      float[] taps,
      int to,
      float[] scratch);

  /**
   * At one point, for tiles [0, count) and perhaps some more (see {@link #TILES}):
   *
   * <pre>
   * Z[tile][j] = (Z[tile][j] +) Σ_channels V[tile][channel] · U[channel][j]
   * </pre>
   *
   * where V's panels of channels lie {@code panelStride} apart and U is [channel][panel].
   */
  void times(
      float[] v,
      int vAt,
      int panels,
      int panelStride,
      float[] u,
      int uAt,
      float[] z,
      int zAt,
      int count,
      boolean accumulate);

  /**
   * At one point, one panel of channels against another: U[i][j] = (U[i][j] +) Σ_tiles V[tile][i] ·
   * Z[tile][j].
   */
  void outer(
      float[] v, int vAt, float[] z, int zAt, int count, float[] u, int uAt, boolean accumulate);
}

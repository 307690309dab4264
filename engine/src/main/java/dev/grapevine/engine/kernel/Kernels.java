package dev.grapevine.engine.kernel;

import org.jspecify.annotations.Nullable;

/**
 * The inner loops of the engine. Stateless; all operands are slices of float arrays. A table of row
 * offsets must be {@linkplain Rows#padded padded}.
 */
public interface Kernels {

  /** The kernels for this machine, chosen once. */
  static Kernels best() {
    return KernelChoice.BEST;
  }

  /** What a user sees, such as {@code vector-256}. */
  String name();

  /** Columns of a packed panel; a multiple of the vector length. */
  int panel();

  /** The loops in which every channel has its own terms. */
  ChannelKernels channels();

  /** Loops over long vectors that are no layer's. */
  SignalKernels signals();

  /** The loops of minimal filtering. */
  TileKernels tiles();

  /** The same in one dimension, for few channels. */
  StripKernels strips();

  /** Floats that {@code tile} must hold: one block of rows of one panel, or one square of lanes. */
  default int tile() {
    return Math.max(Rows.BLOCK, panel() / 4) * panel();
  }

  /**
   * A block-wise product with one packed panel, for rows i in [0, count) rounded up to whole
   * blocks:
   *
   * <pre>
   * C[cRows[cFirst+i] + cBase + j] = start + Σ_k A[aRows[aFirst+i] + aBase + k] · B[b + panel·k + j]
   * </pre>
   *
   * for j below {@code width}. The start is C itself when accumulating, else the bias from {@code
   * biasAt} (padded to whole panels), else zero.
   *
   * @param tile scratch of {@link #tile()} floats, used when width is less than a panel
   */
  void rows(
      float[] a,
      int[] aRows,
      int aFirst,
      int aBase,
      float[] b,
      int bBase,
      int depth,
      float[] c,
      int[] cRows,
      int cFirst,
      int cBase,
      int count,
      int width,
      boolean accumulate,
      float @Nullable [] bias,
      int biasAt,
      float[] tile);

  /**
   * Two rows against two whole panels (the second {@code nextPanel} floats further), for a
   * remainder of two rows, where a block of {@link Rows#BLOCK} would waste two thirds.
   */
  void twoRows(
      float[] a,
      int[] aRows,
      int aFirst,
      int aBase,
      float[] b,
      int bBase,
      int nextPanel,
      int depth,
      float[] c,
      int[] cRows,
      int cFirst,
      int cBase,
      boolean accumulate);

  /**
   * Packs one panel from rows that lie {@code stride} apart: target[panel·k + j] = source[at +
   * stride·k + j] for j below {@code width}, zero from there on.
   */
  void packPanel(
      float[] source, int at, int stride, int rows, int width, float[] target, int targetAt);

  /**
   * Turns one panel of rows, {@code stride} apart, into columns, which go where the table says:
   *
   * <pre>
   * target[starts[first + k] + base + j] = source[at + stride·j + k]
   * </pre>
   *
   * for k below {@code columns}. May go on to the end of a block of columns where source and table
   * do; those columns mean nothing.
   *
   * @param tile scratch of {@link #tile()} floats
   */
  void toColumns(
      float[] source,
      int at,
      int stride,
      int columns,
      float[] target,
      int[] starts,
      int first,
      int base,
      float[] tile);

  /** The way back: target[at + stride·j + k] = source[starts[first + k] + base + j]. */
  void toRows(
      float[] source,
      int[] starts,
      int first,
      int base,
      int columns,
      float[] target,
      int at,
      int stride,
      float[] tile);

  /** y += factor · x. */
  void addScaled(float factor, float[] x, int xAt, float[] y, int yAt, int count);

  /** y += x. */
  void add(float[] x, int xAt, float[] y, int yAt, int count);

  /** y = max(x, 0); NaN stays NaN, so that a diverged model is noticed. */
  void relu(float[] x, int xAt, float[] y, int yAt, int count);

  /** y = max(a + b, 0). */
  void addRelu(float[] a, int aAt, float[] b, int bAt, float[] y, int yAt, int count);

  /** dx = dy where y &gt; 0, else 0. */
  void reluGradient(float[] y, int yAt, float[] dy, int dyAt, float[] dx, int dxAt, int count);

  /** y = 1 / (1 + exp(-x)), within 2 ulp or so. */
  void sigmoid(float[] x, int xAt, float[] y, int yAt, int count);

  /** y = tanh(x), within 4 ulp or so. */
  void tanh(float[] x, int xAt, float[] y, int yAt, int count);

  /** z = x · y, value by value. */
  void multiply(float[] x, int xAt, float[] y, int yAt, float[] z, int zAt, int count);

  /** z += x · y, value by value. */
  void addProduct(float[] x, int xAt, float[] y, int yAt, float[] z, int zAt, int count);

  /**
   * One time step of an LSTM cell backwards, for one sample. Gates lie in PyTorch's order (input,
   * forget, candidate, output), each {@code hidden} values after activation, and become the
   * gradients of their inputs.
   *
   * @param previousAt where the cell state before this step starts in {@code cells}
   * @param cellTanh tanh of the cell state after this step, from {@code at}
   * @param outputGradient of the hidden state, from {@code at}
   * @param cellGradient of the cell state after this step; becomes that of the state before
   */
  void lstmGradient(
      int hidden,
      float[] gates,
      int gatesAt,
      float[] cells,
      int previousAt,
      float[] cellTanh,
      float[] outputGradient,
      int at,
      float[] cellGradient,
      int cellGradientAt);

  /**
   * Copies {@code rows} runs of {@code width} values, from {@code starts[first + i] + base}, one
   * after the other. May read and write up to one vector further than it needs.
   */
  void copyRuns(
      float[] source,
      int[] starts,
      int first,
      int base,
      int rows,
      int width,
      float[] target,
      int targetAt);
}

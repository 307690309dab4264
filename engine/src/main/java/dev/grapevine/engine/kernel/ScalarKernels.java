package dev.grapevine.engine.kernel;

import org.jspecify.annotations.Nullable;

/** Plain loops: the definition that the vector kernels are tested against, and the fallback. */
final class ScalarKernels implements Kernels {

  static final int PANEL = 16;

  private final ChannelKernels channels = new ScalarChannelKernels(0);
  private final SignalKernels signals = new ScalarSignalKernels();
  private final TileKernels tiles = new ScalarTileKernels();
  private final StripKernels strips = new ScalarStripKernels();

  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public ChannelKernels channels() {
    return channels;
  }

  @Override
  public TileKernels tiles() {
    return tiles;
  }

  @Override
  public StripKernels strips() {
    return strips;
  }

  @Override
  public SignalKernels signals() {
    return signals;
  }

  @Override
  public int panel() {
    return PANEL;
  }

  @Override
  public void rows(
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
      float[] tile) {
    for (int i = 0; i < count; i++) {
      int to = cRows[cFirst + i] + cBase;
      start(c, to, width, accumulate, bias, biasAt, tile);
      int from = aRows[aFirst + i] + aBase;
      for (int k = 0; k < depth; k++) {
        multiplyAdd(a[from + k], b, bBase + PANEL * k, tile);
      }
      System.arraycopy(tile, 0, c, to, Math.min(width, PANEL));
    }
  }

  private static void start(
      float[] c,
      int at,
      int width,
      boolean accumulate,
      float @Nullable [] bias,
      int biasAt,
      float[] tile) {
    for (int j = 0; j < PANEL; j++) {
      float zero = bias == null ? 0f : bias[biasAt + j];
      tile[j] = accumulate ? (j < width ? c[at + j] : 0f) : zero;
    }
  }

  private static void multiplyAdd(float factor, float[] b, int at, float[] sum) {
    for (int j = 0; j < PANEL; j++) {
      sum[j] += factor * b[at + j];
    }
  }

  @Override
  public void twoRows(
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
      boolean accumulate) {
    for (int i = 0; i < 2; i++) {
      int from = aRows[aFirst + i] + aBase;
      for (int j = 0; j < 2 * PANEL; j++) {
        int to = cRows[cFirst + i] + cBase + j;
        int column = bBase + (j < PANEL ? j : nextPanel + j - PANEL);
        float sum = accumulate ? c[to] : 0f;
        for (int k = 0; k < depth; k++) {
          sum += a[from + k] * b[column + PANEL * k];
        }
        c[to] = sum;
      }
    }
  }

  @Override
  public void packPanel(
      float[] source, int at, int stride, int rows, int width, float[] target, int targetAt) {
    int filled = Math.min(width, PANEL);
    for (int k = 0; k < rows; k++) {
      for (int j = 0; j < PANEL; j++) {
        target[targetAt + PANEL * k + j] = j < filled ? source[at + stride * k + j] : 0f;
      }
    }
  }

  @Override
  public void toColumns(
      float[] source,
      int at,
      int stride,
      int columns,
      float[] target,
      int[] starts,
      int first,
      int base,
      float[] tile) {
    for (int k = 0; k < columns; k++) {
      for (int j = 0; j < PANEL; j++) {
        target[starts[first + k] + base + j] = source[at + stride * j + k];
      }
    }
  }

  @Override
  public void toRows(
      float[] source,
      int[] starts,
      int first,
      int base,
      int columns,
      float[] target,
      int at,
      int stride,
      float[] tile) {
    for (int k = 0; k < columns; k++) {
      for (int j = 0; j < PANEL; j++) {
        target[at + stride * j + k] = source[starts[first + k] + base + j];
      }
    }
  }

  @Override
  public void copyRuns(
      float[] source,
      int[] starts,
      int first,
      int base,
      int rows,
      int width,
      float[] target,
      int targetAt) {
    for (int i = 0; i < rows; i++) {
      System.arraycopy(source, starts[first + i] + base, target, targetAt + i * width, width);
    }
  }

  @Override
  public void addScaled(float factor, float[] x, int xAt, float[] y, int yAt, int count) {
    for (int i = 0; i < count; i++) {
      y[yAt + i] += factor * x[xAt + i];
    }
  }

  @Override
  public void add(float[] x, int xAt, float[] y, int yAt, int count) {
    for (int i = 0; i < count; i++) {
      y[yAt + i] += x[xAt + i];
    }
  }

  @Override
  public void relu(float[] x, int xAt, float[] y, int yAt, int count) {
    for (int i = 0; i < count; i++) {
      y[yAt + i] = x[xAt + i] <= 0 ? 0f : x[xAt + i];
    }
  }

  @Override
  public void addRelu(float[] a, int aAt, float[] b, int bAt, float[] y, int yAt, int count) {
    for (int i = 0; i < count; i++) {
      float sum = a[aAt + i] + b[bAt + i];
      y[yAt + i] = sum <= 0 ? 0f : sum;
    }
  }

  @Override
  public void reluGradient(
      float[] y, int yAt, float[] dy, int dyAt, float[] dx, int dxAt, int count) {
    for (int i = 0; i < count; i++) {
      dx[dxAt + i] = y[yAt + i] > 0 ? dy[dyAt + i] : 0f;
    }
  }

  @Override
  public void sigmoid(float[] x, int xAt, float[] y, int yAt, int count) {
    for (int i = 0; i < count; i++) {
      y[yAt + i] = (float) (1 / (1 + Math.exp(-x[xAt + i])));
    }
  }

  @Override
  public void tanh(float[] x, int xAt, float[] y, int yAt, int count) {
    for (int i = 0; i < count; i++) {
      y[yAt + i] = (float) Math.tanh(x[xAt + i]);
    }
  }

  @Override
  public void multiply(float[] x, int xAt, float[] y, int yAt, float[] z, int zAt, int count) {
    for (int i = 0; i < count; i++) {
      z[zAt + i] = x[xAt + i] * y[yAt + i];
    }
  }

  @Override
  public void addProduct(float[] x, int xAt, float[] y, int yAt, float[] z, int zAt, int count) {
    for (int i = 0; i < count; i++) {
      z[zAt + i] += x[xAt + i] * y[yAt + i];
    }
  }

  @Override
  public void lstmGradient(
      int hidden,
      float[] gates,
      int gatesAt,
      float[] cells,
      int previousAt,
      float[] cellTanh,
      float[] outputGradient,
      int at,
      float[] cellGradient,
      int cellGradientAt) {
    ScalarLstm.gradient(
        0,
        hidden,
        gates,
        gatesAt,
        cells,
        previousAt,
        cellTanh,
        outputGradient,
        at,
        cellGradient,
        cellGradientAt);
  }
}

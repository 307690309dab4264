package dev.grapevine.engine.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Kernels on the Vector API. A panel is two vectors wide, a block six rows high: twelve sums stay
 * in registers, which fills the multiply-add units of machines with sixteen vector registers.
 *
 * <p>The blocks call the Vector API directly: a helper around a load is not inlined where it stands
 * on a branch that the profile calls rare, and then all sums are boxed for the life of the JVM (2
 * instead of 50 to 90 GFLOP/s).
 *
 * <p>A narrow last panel goes through a scratch tile: masked stores inside these loops made the
 * compiler spill everything.
 */
final class VectorKernels implements Kernels {

  static final VectorSpecies<Float> S = species(System.getProperty(KernelChoice.PROPERTY, "auto"));

  private static final int LANES = S.length();
  private static final int PANEL = 2 * LANES;

  /** Taps of a 3×3 kernel. */
  private static final int NINE = 9;

  private static final int[] TILE_ROWS = Rows.evenly(Rows.BLOCK, PANEL);

  private static VectorSpecies<Float> species(String wish) {
    return switch (wish) {
      case "128" -> FloatVector.SPECIES_128;
      case "256" -> FloatVector.SPECIES_256;
      case "512" -> FloatVector.SPECIES_512;
      default -> FloatVector.SPECIES_PREFERRED;
    };
  }

  private final ChannelKernels channels = new VectorChannelKernels();
  private final SignalKernels signals = new VectorSignalKernels();
  private final TileKernels tiles = new VectorTileKernels();
  private final StripKernels strips = new VectorStripKernels();

  @Override
  public String name() {
    return "vector-" + S.vectorBitSize();
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

  static FloatVector load(float[] array, int at) {
    return FloatVector.fromArray(S, array, at);
  }

  static FloatVector all(float value) {
    return FloatVector.broadcast(S, value);
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
    for (int i = 0; i < count; i += Rows.BLOCK) {
      if (width >= PANEL) {
        block(
            a,
            aRows,
            aFirst + i,
            aBase,
            b,
            bBase,
            depth,
            c,
            cRows,
            cFirst + i,
            cBase,
            accumulate,
            bias,
            biasAt);
      } else {
        intoTile(c, cRows, cFirst + i, cBase, width, accumulate, tile);
        block(
            a,
            aRows,
            aFirst + i,
            aBase,
            b,
            bBase,
            depth,
            tile,
            TILE_ROWS,
            0,
            0,
            accumulate,
            bias,
            biasAt);
        outOfTile(tile, c, cRows, cFirst + i, cBase, width);
      }
    }
  }

  private static void intoTile(
      float[] c, int[] cRows, int row, int cBase, int width, boolean accumulate, float[] tile) {
    if (accumulate) {
      for (int i = 0; i < Rows.BLOCK; i++) {
        int from = cRows[row + i] + cBase;
        for (int j = 0; j < width; j++) {
          tile[i * PANEL + j] = c[from + j];
        }
      }
    }
  }

  private static void outOfTile(
      float[] tile, float[] c, int[] cRows, int row, int cBase, int width) {
    for (int i = 0; i < Rows.BLOCK; i++) {
      int to = cRows[row + i] + cBase;
      for (int j = 0; j < width; j++) {
        c[to + j] = tile[i * PANEL + j];
      }
    }
  }

  private static void block(
      float[] a,
      int[] aRows,
      int row,
      int aBase,
      float[] b,
      int bBase,
      int depth,
      float[] c,
      int[] cRows,
      int cRow,
      int cBase,
      boolean accumulate,
      float @Nullable [] bias,
      int biasAt) {
    int a0 = aRows[row] + aBase;
    int a1 = aRows[row + 1] + aBase;
    int a2 = aRows[row + 2] + aBase;
    int a3 = aRows[row + 3] + aBase;
    int a4 = aRows[row + 4] + aBase;
    int a5 = aRows[row + 5] + aBase;
    int q0 = cRows[cRow] + cBase;
    int q1 = cRows[cRow + 1] + cBase;
    int q2 = cRows[cRow + 2] + cBase;
    int q3 = cRows[cRow + 3] + cBase;
    int q4 = cRows[cRow + 4] + cBase;
    int q5 = cRows[cRow + 5] + cBase;
    FloatVector c00, c01, c10, c11, c20, c21, c30, c31, c40, c41, c50, c51;
    if (accumulate) {
      c00 = FloatVector.fromArray(S, c, q0);
      c01 = FloatVector.fromArray(S, c, q0 + LANES);
      c10 = FloatVector.fromArray(S, c, q1);
      c11 = FloatVector.fromArray(S, c, q1 + LANES);
      c20 = FloatVector.fromArray(S, c, q2);
      c21 = FloatVector.fromArray(S, c, q2 + LANES);
      c30 = FloatVector.fromArray(S, c, q3);
      c31 = FloatVector.fromArray(S, c, q3 + LANES);
      c40 = FloatVector.fromArray(S, c, q4);
      c41 = FloatVector.fromArray(S, c, q4 + LANES);
      c50 = FloatVector.fromArray(S, c, q5);
      c51 = FloatVector.fromArray(S, c, q5 + LANES);
    } else {
      c00 = bias == null ? FloatVector.zero(S) : FloatVector.fromArray(S, bias, biasAt);
      c01 = bias == null ? FloatVector.zero(S) : FloatVector.fromArray(S, bias, biasAt + LANES);
      c10 = c20 = c30 = c40 = c50 = c00;
      c11 = c21 = c31 = c41 = c51 = c01;
    }
    for (int k = 0; k < depth; k++) {
      FloatVector b0 = FloatVector.fromArray(S, b, bBase + PANEL * k);
      FloatVector b1 = FloatVector.fromArray(S, b, bBase + PANEL * k + LANES);
      FloatVector v = FloatVector.broadcast(S, a[a0 + k]);
      c00 = v.fma(b0, c00);
      c01 = v.fma(b1, c01);
      v = FloatVector.broadcast(S, a[a1 + k]);
      c10 = v.fma(b0, c10);
      c11 = v.fma(b1, c11);
      v = FloatVector.broadcast(S, a[a2 + k]);
      c20 = v.fma(b0, c20);
      c21 = v.fma(b1, c21);
      v = FloatVector.broadcast(S, a[a3 + k]);
      c30 = v.fma(b0, c30);
      c31 = v.fma(b1, c31);
      v = FloatVector.broadcast(S, a[a4 + k]);
      c40 = v.fma(b0, c40);
      c41 = v.fma(b1, c41);
      v = FloatVector.broadcast(S, a[a5 + k]);
      c50 = v.fma(b0, c50);
      c51 = v.fma(b1, c51);
    }
    c00.intoArray(c, q0);
    c01.intoArray(c, q0 + LANES);
    c10.intoArray(c, q1);
    c11.intoArray(c, q1 + LANES);
    c20.intoArray(c, q2);
    c21.intoArray(c, q2 + LANES);
    c30.intoArray(c, q3);
    c31.intoArray(c, q3 + LANES);
    c40.intoArray(c, q4);
    c41.intoArray(c, q4 + LANES);
    c50.intoArray(c, q5);
    c51.intoArray(c, q5 + LANES);
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
    int a0 = aRows[aFirst] + aBase;
    int a1 = aRows[aFirst + 1] + aBase;
    int q0 = cRows[cFirst] + cBase;
    int q1 = cRows[cFirst + 1] + cBase;
    int second = bBase + nextPanel;
    FloatVector c00, c01, c02, c03, c10, c11, c12, c13;
    if (accumulate) {
      c00 = FloatVector.fromArray(S, c, q0);
      c01 = FloatVector.fromArray(S, c, q0 + LANES);
      c02 = FloatVector.fromArray(S, c, q0 + 2 * LANES);
      c03 = FloatVector.fromArray(S, c, q0 + 3 * LANES);
      c10 = FloatVector.fromArray(S, c, q1);
      c11 = FloatVector.fromArray(S, c, q1 + LANES);
      c12 = FloatVector.fromArray(S, c, q1 + 2 * LANES);
      c13 = FloatVector.fromArray(S, c, q1 + 3 * LANES);
    } else {
      c00 = c01 = c02 = c03 = c10 = c11 = c12 = c13 = FloatVector.zero(S);
    }
    for (int k = 0; k < depth; k++) {
      FloatVector u = FloatVector.broadcast(S, a[a0 + k]);
      FloatVector v = FloatVector.broadcast(S, a[a1 + k]);
      FloatVector column = FloatVector.fromArray(S, b, bBase + PANEL * k);
      c00 = u.fma(column, c00);
      c10 = v.fma(column, c10);
      column = FloatVector.fromArray(S, b, bBase + PANEL * k + LANES);
      c01 = u.fma(column, c01);
      c11 = v.fma(column, c11);
      column = FloatVector.fromArray(S, b, second + PANEL * k);
      c02 = u.fma(column, c02);
      c12 = v.fma(column, c12);
      column = FloatVector.fromArray(S, b, second + PANEL * k + LANES);
      c03 = u.fma(column, c03);
      c13 = v.fma(column, c13);
    }
    c00.intoArray(c, q0);
    c01.intoArray(c, q0 + LANES);
    c02.intoArray(c, q0 + 2 * LANES);
    c03.intoArray(c, q0 + 3 * LANES);
    c10.intoArray(c, q1);
    c11.intoArray(c, q1 + LANES);
    c12.intoArray(c, q1 + 2 * LANES);
    c13.intoArray(c, q1 + 3 * LANES);
  }

  @Override
  public void packPanel(
      float[] source, int at, int stride, int rows, int width, float[] target, int targetAt) {
    if (width >= PANEL) {
      for (int k = 0; k < rows; k++) {
        load(source, at + stride * k).intoArray(target, targetAt + PANEL * k);
        load(source, at + stride * k + LANES).intoArray(target, targetAt + PANEL * k + LANES);
      }
      return;
    }
    for (int k = 0; k < rows; k++) {
      for (int j = 0; j < PANEL; j++) {
        target[targetAt + PANEL * k + j] = j < width ? source[at + stride * k + j] : 0f;
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
    if (stride == NINE && columns == NINE) {
      VectorNines.part(source, at, target, starts, first, base);
      VectorNines.part(source, at + LANES * NINE, target, starts, first, base + LANES);
      return;
    }
    int end = (columns + LANES - 1) / LANES * LANES;
    boolean goesOn =
        first + end <= starts.length && at + (PANEL - 1) * stride + end <= source.length;
    int whole = goesOn ? end : columns / LANES * LANES;
    for (int k = 0; k < whole; k += LANES) {
      VectorTranspose.fromRows(source, at + k, stride, target, starts, first + k, base, tile);
      VectorTranspose.fromRows(
          source, at + LANES * stride + k, stride, target, starts, first + k, base + LANES, tile);
    }
    for (int k = whole; k < columns; k++) {
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
    if (stride == NINE && columns == NINE) {
      VectorNines.join(source, starts, first, base, target, at);
      VectorNines.join(source, starts, first, base + LANES, target, at + LANES * NINE);
      return;
    }
    int whole = columns / LANES * LANES;
    for (int k = 0; k < whole; k += LANES) {
      VectorTranspose.toRows(source, starts, first + k, base, target, at + k, stride, tile);
      VectorTranspose.toRows(
          source, starts, first + k, base + LANES, target, at + LANES * stride + k, stride, tile);
    }
    if (whole == columns) {
      return;
    }
    if (whole > 0) {
      // Some columns a second time are cheaper than the last ones one by one.
      int k = columns - LANES;
      VectorTranspose.toRows(source, starts, first + k, base, target, at + k, stride, tile);
      VectorTranspose.toRows(
          source, starts, first + k, base + LANES, target, at + LANES * stride + k, stride, tile);
      return;
    }
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
    int to = targetAt;
    for (int i = 0; i < rows; i++) {
      int from = starts[first + i] + base;
      for (int j = 0; j < width; j += LANES) {
        load(source, from + j).intoArray(target, to + j);
      }
      to += width;
    }
  }

  @Override
  public void addScaled(float factor, float[] x, int xAt, float[] y, int yAt, int count) {
    FloatVector f = all(factor);
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      load(x, xAt + i).fma(f, load(y, yAt + i)).intoArray(y, yAt + i);
    }
    for (int i = whole; i < count; i++) {
      y[yAt + i] = Math.fma(factor, x[xAt + i], y[yAt + i]);
    }
  }

  @Override
  public void add(float[] x, int xAt, float[] y, int yAt, int count) {
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      load(x, xAt + i).add(load(y, yAt + i)).intoArray(y, yAt + i);
    }
    for (int i = whole; i < count; i++) {
      y[yAt + i] += x[xAt + i];
    }
  }

  @Override
  public void relu(float[] x, int xAt, float[] y, int yAt, int count) {
    FloatVector zero = FloatVector.zero(S);
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector v = load(x, xAt + i);
      v.blend(zero, v.compare(VectorOperators.LE, zero)).intoArray(y, yAt + i);
    }
    for (int i = whole; i < count; i++) {
      y[yAt + i] = x[xAt + i] <= 0 ? 0f : x[xAt + i];
    }
  }

  @Override
  public void addRelu(float[] a, int aAt, float[] b, int bAt, float[] y, int yAt, int count) {
    FloatVector zero = FloatVector.zero(S);
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector v = load(a, aAt + i).add(load(b, bAt + i));
      v.blend(zero, v.compare(VectorOperators.LE, zero)).intoArray(y, yAt + i);
    }
    for (int i = whole; i < count; i++) {
      float sum = a[aAt + i] + b[bAt + i];
      y[yAt + i] = sum <= 0 ? 0f : sum;
    }
  }

  @Override
  public void reluGradient(
      float[] y, int yAt, float[] dy, int dyAt, float[] dx, int dxAt, int count) {
    FloatVector zero = FloatVector.zero(S);
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      VectorMask<Float> passes = load(y, yAt + i).compare(VectorOperators.GT, zero);
      zero.blend(load(dy, dyAt + i), passes).intoArray(dx, dxAt + i);
    }
    for (int i = whole; i < count; i++) {
      dx[dxAt + i] = y[yAt + i] > 0 ? dy[dyAt + i] : 0f;
    }
  }

  @Override
  public void sigmoid(float[] x, int xAt, float[] y, int yAt, int count) {
    FloatVector one = all(1f);
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      one.div(Exponential.of(load(x, xAt + i).neg()).add(one)).intoArray(y, yAt + i);
    }
    for (int i = whole; i < count; i++) {
      y[yAt + i] = (float) (1 / (1 + Math.exp(-x[xAt + i])));
    }
  }

  @Override
  public void tanh(float[] x, int xAt, float[] y, int yAt, int count) {
    FloatVector one = all(1f);
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector e = Exponential.of(load(x, xAt + i).mul(-2f));
      one.sub(e).div(e.add(one)).intoArray(y, yAt + i);
    }
    for (int i = whole; i < count; i++) {
      y[yAt + i] = (float) Math.tanh(x[xAt + i]);
    }
  }

  @Override
  public void multiply(float[] x, int xAt, float[] y, int yAt, float[] z, int zAt, int count) {
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      load(x, xAt + i).mul(load(y, yAt + i)).intoArray(z, zAt + i);
    }
    for (int i = whole; i < count; i++) {
      z[zAt + i] = x[xAt + i] * y[yAt + i];
    }
  }

  @Override
  public void addProduct(float[] x, int xAt, float[] y, int yAt, float[] z, int zAt, int count) {
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      load(x, xAt + i).fma(load(y, yAt + i), load(z, zAt + i)).intoArray(z, zAt + i);
    }
    for (int i = whole; i < count; i++) {
      z[zAt + i] = Math.fma(x[xAt + i], y[yAt + i], z[zAt + i]);
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
    VectorLstm.gradient(
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

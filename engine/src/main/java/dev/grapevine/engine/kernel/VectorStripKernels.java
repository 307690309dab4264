package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.S;

import jdk.incubator.vector.FloatVector;

/** {@link StripKernels} on the Vector API: the transforms of tiles, in one dimension only. */
final class VectorStripKernels implements StripKernels {

  private static final int LANES = S.length();
  private static final int PANEL = 2 * LANES;

  /** Windows' values that are summed up together: ten sums fill the multiply-add units. */
  private static final int AT_ONCE = 5;

  /** See {@link VectorTileOuter}. */
  private static final int[] ROW = {0, 1, 2, 3, 4};

  @Override
  public void input(
      MinimalFiltering filtering,
      float[] image,
      int at,
      int rowStride,
      int count,
      float[] points,
      int to,
      int pointStride) {
    int vectors = (count + LANES - 1) / LANES;
    switch (filtering) {
      case F2_3 ->
          VectorF23.input(image, at, rowStride, LANES, vectors, points, to, pointStride, LANES);
      case F4_3 ->
          VectorF43.input(image, at, rowStride, LANES, vectors, points, to, pointStride, LANES);
      case F4_5 ->
          VectorF45.input(image, at, rowStride, LANES, vectors, points, to, pointStride, LANES);
    }
  }

  @Override
  public void output(
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
      int startAt) {
    for (int half = 0; half < PANEL; half += LANES) {
      int from = at + half;
      int into = to + half;
      int first = startAt + half;
      switch (filtering) {
        case F2_3 ->
            VectorF23.output(
                points,
                from,
                pointStride,
                PANEL,
                width,
                image,
                into,
                rowStride,
                columnStride,
                start,
                first);
        case F4_3 ->
            VectorF43.output(
                points,
                from,
                pointStride,
                PANEL,
                width,
                image,
                into,
                rowStride,
                columnStride,
                start,
                first);
        case F4_5 ->
            VectorF45.output(
                points,
                from,
                pointStride,
                PANEL,
                width,
                image,
                into,
                rowStride,
                columnStride,
                start,
                first);
      }
    }
  }

  @Override
  public void gradient(
      MinimalFiltering filtering,
      float[] image,
      int at,
      int rowStride,
      int count,
      float[] points,
      int to,
      int pointStride) {
    int vectors = count / LANES;
    switch (filtering) {
      case F2_3 ->
          VectorF23.gradient(image, at, rowStride, LANES, vectors, points, to, pointStride, LANES);
      case F4_3 ->
          VectorF43.gradient(image, at, rowStride, LANES, vectors, points, to, pointStride, LANES);
      case F4_5 ->
          VectorF45.gradient(image, at, rowStride, LANES, vectors, points, to, pointStride, LANES);
    }
  }

  @Override
  public void weights(
      MinimalFiltering filtering,
      float[] taps,
      int at,
      float[] points,
      int to,
      int pointStride,
      int next) {
    for (int half = 0; half < PANEL; half += LANES) {
      int from = at + half;
      int into = to + half;
      switch (filtering) {
        case F2_3 ->
            VectorF23.weights(taps, from, 3 * PANEL, PANEL, 3, points, into, pointStride, next);
        case F4_3 ->
            VectorF43.weights(taps, from, 3 * PANEL, PANEL, 3, points, into, pointStride, next);
        case F4_5 ->
            VectorF45.weights(taps, from, 5 * PANEL, PANEL, 5, points, into, pointStride, next);
      }
    }
  }

  @Override
  public void weightGradient(
      MinimalFiltering filtering,
      float[] points,
      int at,
      int pointStride,
      int next,
      float[] taps,
      int to) {
    for (int half = 0; half < PANEL; half += LANES) {
      int from = at + half;
      int into = to + half;
      switch (filtering) {
        case F2_3 ->
            VectorF23.weightGradient(
                points, from, pointStride, next, 3, taps, into, 3 * PANEL, PANEL);
        case F4_3 ->
            VectorF43.weightGradient(
                points, from, pointStride, next, 3, taps, into, 3 * PANEL, PANEL);
        case F4_5 ->
            VectorF45.weightGradient(
                points, from, pointStride, next, 5, taps, into, 5 * PANEL, PANEL);
      }
    }
  }

  @Override
  public void outer(
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
      boolean accumulate) {
    int i = 0;
    for (; i + AT_ONCE <= depth; i += AT_ONCE) {
      fiveValues(v, vAt + i, vStride, z, zAt, zStride, count, u, uAt + i * PANEL, accumulate);
    }
    for (; i < depth; i++) {
      oneValue(v, vAt + i, vStride, z, zAt, zStride, count, u, uAt + i * PANEL, accumulate);
    }
  }

  private static void fiveValues(
      float[] v,
      int a,
      int vStride,
      float[] z,
      int b,
      int zStride,
      int count,
      float[] u,
      int q,
      boolean accumulate) {
    FloatVector c00, c01, c10, c11, c20, c21, c30, c31, c40, c41;
    if (accumulate) {
      c00 = FloatVector.fromArray(S, u, q);
      c01 = FloatVector.fromArray(S, u, q + LANES);
      c10 = FloatVector.fromArray(S, u, q + PANEL);
      c11 = FloatVector.fromArray(S, u, q + PANEL + LANES);
      c20 = FloatVector.fromArray(S, u, q + 2 * PANEL);
      c21 = FloatVector.fromArray(S, u, q + 2 * PANEL + LANES);
      c30 = FloatVector.fromArray(S, u, q + 3 * PANEL);
      c31 = FloatVector.fromArray(S, u, q + 3 * PANEL + LANES);
      c40 = FloatVector.fromArray(S, u, q + 4 * PANEL);
      c41 = FloatVector.fromArray(S, u, q + 4 * PANEL + LANES);
    } else {
      c00 = c01 = c10 = c11 = c20 = c21 = c30 = c31 = c40 = c41 = FloatVector.zero(S);
    }
    int a1 = a + ROW[1];
    int a2 = a + ROW[2];
    int a3 = a + ROW[3];
    int a4 = a + ROW[4];
    for (int x = 0; x < count; x++) {
      int k = x * vStride;
      FloatVector b0 = FloatVector.fromArray(S, z, b + x * zStride);
      FloatVector b1 = FloatVector.fromArray(S, z, b + x * zStride + LANES);
      FloatVector w = FloatVector.broadcast(S, v[a + k]);
      c00 = w.fma(b0, c00);
      c01 = w.fma(b1, c01);
      w = FloatVector.broadcast(S, v[a1 + k]);
      c10 = w.fma(b0, c10);
      c11 = w.fma(b1, c11);
      w = FloatVector.broadcast(S, v[a2 + k]);
      c20 = w.fma(b0, c20);
      c21 = w.fma(b1, c21);
      w = FloatVector.broadcast(S, v[a3 + k]);
      c30 = w.fma(b0, c30);
      c31 = w.fma(b1, c31);
      w = FloatVector.broadcast(S, v[a4 + k]);
      c40 = w.fma(b0, c40);
      c41 = w.fma(b1, c41);
    }
    c00.intoArray(u, q);
    c01.intoArray(u, q + LANES);
    c10.intoArray(u, q + PANEL);
    c11.intoArray(u, q + PANEL + LANES);
    c20.intoArray(u, q + 2 * PANEL);
    c21.intoArray(u, q + 2 * PANEL + LANES);
    c30.intoArray(u, q + 3 * PANEL);
    c31.intoArray(u, q + 3 * PANEL + LANES);
    c40.intoArray(u, q + 4 * PANEL);
    c41.intoArray(u, q + 4 * PANEL + LANES);
  }

  private static void oneValue(
      float[] v,
      int a,
      int vStride,
      float[] z,
      int b,
      int zStride,
      int count,
      float[] u,
      int q,
      boolean accumulate) {
    FloatVector c0 = accumulate ? FloatVector.fromArray(S, u, q) : FloatVector.zero(S);
    FloatVector c1 = accumulate ? FloatVector.fromArray(S, u, q + LANES) : FloatVector.zero(S);
    for (int x = 0; x < count; x++) {
      FloatVector w = FloatVector.broadcast(S, v[a + x * vStride]);
      c0 = w.fma(FloatVector.fromArray(S, z, b + x * zStride), c0);
      c1 = w.fma(FloatVector.fromArray(S, z, b + x * zStride + LANES), c1);
    }
    c0.intoArray(u, q);
    c1.intoArray(u, q + LANES);
  }
}

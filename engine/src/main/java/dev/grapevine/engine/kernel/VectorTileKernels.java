package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.S;

import jdk.incubator.vector.FloatVector;

/**
 * {@link TileKernels} on the Vector API. A transform takes all columns of a tile through scratch,
 * then all rows, one vector of channels after the other.
 */
final class VectorTileKernels implements TileKernels {

  private static final int LANES = S.length();
  private static final int PANEL = 2 * LANES;
  private static final float[] ZEROS = new float[LANES];

  /**
   * Offsets of neighbouring rows, from a table on purpose: where the compiler sees that six values
   * are neighbours, it loads several ahead, runs out of registers and spills sums (63 instead of 88
   * GFLOP/s).
   */
  private static final int[] ROW = {0, 1, 2, 3, 4, 5, 6, 7};

  /** Machines with vectors of 512 bits have thirty-two registers for them. */
  private static final boolean MANY_REGISTERS = LANES == 16;

  @Override
  public void input(
      MinimalFiltering filtering,
      float[] image,
      int at,
      int rowStride,
      int columnStride,
      float[] points,
      int to,
      int pointStride,
      float[] scratch) {
    for (int half = 0; half < PANEL; half += LANES) {
      switch (filtering) {
        case F2_3 -> {
          VectorF23.input(
              image, at + half, rowStride, columnStride, 4, scratch, 0, 4 * LANES, LANES);
          VectorF23.input(
              scratch, 0, LANES, 4 * LANES, 4, points, to + half, pointStride, 4 * pointStride);
        }
        case F4_3 -> {
          VectorF43.input(
              image, at + half, rowStride, columnStride, 6, scratch, 0, 6 * LANES, LANES);
          VectorF43.input(
              scratch, 0, LANES, 6 * LANES, 6, points, to + half, pointStride, 6 * pointStride);
        }
        case F4_5 -> {
          VectorF45.input(
              image, at + half, rowStride, columnStride, 8, scratch, 0, 8 * LANES, LANES);
          VectorF45.input(
              scratch, 0, LANES, 8 * LANES, 8, points, to + half, pointStride, 8 * pointStride);
        }
      }
    }
  }

  @Override
  public void output(
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
      float[] scratch) {
    for (int half = 0; half < PANEL; half += LANES) {
      switch (filtering) {
        case F2_3 -> {
          VectorF23.output(
              points,
              at + half,
              4 * pointStride,
              pointStride,
              4,
              scratch,
              0,
              4 * LANES,
              LANES,
              ZEROS,
              0);
          VectorF23.output(
              scratch,
              0,
              LANES,
              4 * LANES,
              2,
              image,
              to + half,
              columnStride,
              rowStride,
              start,
              startAt + half);
        }
        case F4_3 -> {
          VectorF43.output(
              points,
              at + half,
              6 * pointStride,
              pointStride,
              6,
              scratch,
              0,
              6 * LANES,
              LANES,
              ZEROS,
              0);
          VectorF43.output(
              scratch,
              0,
              LANES,
              6 * LANES,
              4,
              image,
              to + half,
              columnStride,
              rowStride,
              start,
              startAt + half);
        }
        case F4_5 -> {
          VectorF45.output(
              points,
              at + half,
              8 * pointStride,
              pointStride,
              8,
              scratch,
              0,
              8 * LANES,
              LANES,
              ZEROS,
              0);
          VectorF45.output(
              scratch,
              0,
              LANES,
              8 * LANES,
              4,
              image,
              to + half,
              columnStride,
              rowStride,
              start,
              startAt + half);
        }
      }
    }
  }

  @Override
  public void gradient(
      MinimalFiltering filtering,
      float[] image,
      int at,
      int rowStride,
      int columnStride,
      float[] points,
      int to,
      int pointStride,
      float[] scratch) {
    for (int half = 0; half < PANEL; half += LANES) {
      switch (filtering) {
        case F2_3 -> {
          VectorF23.gradient(
              image, at + half, rowStride, columnStride, 2, scratch, 0, 2 * LANES, LANES);
          VectorF23.gradient(
              scratch, 0, LANES, 2 * LANES, 4, points, to + half, pointStride, 4 * pointStride);
        }
        case F4_3 -> {
          VectorF43.gradient(
              image, at + half, rowStride, columnStride, 4, scratch, 0, 4 * LANES, LANES);
          VectorF43.gradient(
              scratch, 0, LANES, 4 * LANES, 6, points, to + half, pointStride, 6 * pointStride);
        }
        case F4_5 -> {
          VectorF45.gradient(
              image, at + half, rowStride, columnStride, 4, scratch, 0, 4 * LANES, LANES);
          VectorF45.gradient(
              scratch, 0, LANES, 4 * LANES, 8, points, to + half, pointStride, 8 * pointStride);
        }
      }
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
      float[] scratch) {
    for (int half = 0; half < PANEL; half += LANES) {
      switch (filtering) {
        case F2_3 -> {
          VectorF23.weights(taps, at + half, 3 * PANEL, PANEL, 3, scratch, 0, 3 * LANES, LANES);
          VectorF23.weights(
              scratch, 0, LANES, 3 * LANES, 4, points, to + half, pointStride, 4 * pointStride);
        }
        case F4_3 -> {
          VectorF43.weights(taps, at + half, 3 * PANEL, PANEL, 3, scratch, 0, 3 * LANES, LANES);
          VectorF43.weights(
              scratch, 0, LANES, 3 * LANES, 6, points, to + half, pointStride, 6 * pointStride);
        }
        case F4_5 -> {
          VectorF45.weights(taps, at + half, 5 * PANEL, PANEL, 5, scratch, 0, 5 * LANES, LANES);
          VectorF45.weights(
              scratch, 0, LANES, 5 * LANES, 8, points, to + half, pointStride, 8 * pointStride);
        }
      }
    }
  }

  @Override
  public void weightGradient(
      MinimalFiltering filtering,
      float[] points,
      int at,
      int pointStride,
      float[] taps,
      int to,
      float[] scratch) {
    for (int half = 0; half < PANEL; half += LANES) {
      switch (filtering) {
        case F2_3 -> {
          VectorF23.weightGradient(
              points, at + half, 4 * pointStride, pointStride, 4, scratch, 0, 4 * LANES, LANES);
          VectorF23.weightGradient(
              scratch, 0, LANES, 4 * LANES, 3, taps, to + half, PANEL, 3 * PANEL);
        }
        case F4_3 -> {
          VectorF43.weightGradient(
              points, at + half, 6 * pointStride, pointStride, 6, scratch, 0, 6 * LANES, LANES);
          VectorF43.weightGradient(
              scratch, 0, LANES, 6 * LANES, 3, taps, to + half, PANEL, 3 * PANEL);
        }
        case F4_5 -> {
          VectorF45.weightGradient(
              points, at + half, 8 * pointStride, pointStride, 8, scratch, 0, 8 * LANES, LANES);
          VectorF45.weightGradient(
              scratch, 0, LANES, 8 * LANES, 5, taps, to + half, PANEL, 5 * PANEL);
        }
      }
    }
  }

  @Override
  public void times(
      float[] v,
      int vAt,
      int panels,
      int panelStride,
      float[] u,
      int uAt,
      float[] z,
      int zAt,
      int count,
      boolean accumulate) {
    int i = 0;
    for (; MANY_REGISTERS && count - i > Rows.BLOCK; i += 8) {
      eightTiles(v, vAt + i * PANEL, panels, panelStride, u, uAt, z, zAt + i * PANEL, accumulate);
    }
    for (; i < count; i += Rows.BLOCK) {
      sixTiles(v, vAt + i * PANEL, panels, panelStride, u, uAt, z, zAt + i * PANEL, accumulate);
    }
  }

  private static void sixTiles(
      float[] v,
      int vAt,
      int panels,
      int panelStride,
      float[] u,
      int uAt,
      float[] z,
      int zAt,
      boolean accumulate) {
    FloatVector c00, c01, c10, c11, c20, c21, c30, c31, c40, c41, c50, c51;
    if (accumulate) {
      c00 = FloatVector.fromArray(S, z, zAt);
      c01 = FloatVector.fromArray(S, z, zAt + LANES);
      c10 = FloatVector.fromArray(S, z, zAt + PANEL);
      c11 = FloatVector.fromArray(S, z, zAt + PANEL + LANES);
      c20 = FloatVector.fromArray(S, z, zAt + 2 * PANEL);
      c21 = FloatVector.fromArray(S, z, zAt + 2 * PANEL + LANES);
      c30 = FloatVector.fromArray(S, z, zAt + 3 * PANEL);
      c31 = FloatVector.fromArray(S, z, zAt + 3 * PANEL + LANES);
      c40 = FloatVector.fromArray(S, z, zAt + 4 * PANEL);
      c41 = FloatVector.fromArray(S, z, zAt + 4 * PANEL + LANES);
      c50 = FloatVector.fromArray(S, z, zAt + 5 * PANEL);
      c51 = FloatVector.fromArray(S, z, zAt + 5 * PANEL + LANES);
    } else {
      c00 = c01 = c10 = c11 = c20 = c21 = c30 = c31 = c40 = c41 = c50 = c51 = FloatVector.zero(S);
    }
    int a = vAt;
    int b = uAt;
    for (int p = 0; p < panels; p++) {
      for (int k = 0; k < PANEL; k++) {
        FloatVector b0 = FloatVector.fromArray(S, u, b + PANEL * k);
        FloatVector b1 = FloatVector.fromArray(S, u, b + PANEL * k + LANES);
        FloatVector x = FloatVector.broadcast(S, v[a + k]);
        c00 = x.fma(b0, c00);
        c01 = x.fma(b1, c01);
        x = FloatVector.broadcast(S, v[a + PANEL + k]);
        c10 = x.fma(b0, c10);
        c11 = x.fma(b1, c11);
        x = FloatVector.broadcast(S, v[a + 2 * PANEL + k]);
        c20 = x.fma(b0, c20);
        c21 = x.fma(b1, c21);
        x = FloatVector.broadcast(S, v[a + 3 * PANEL + k]);
        c30 = x.fma(b0, c30);
        c31 = x.fma(b1, c31);
        x = FloatVector.broadcast(S, v[a + 4 * PANEL + k]);
        c40 = x.fma(b0, c40);
        c41 = x.fma(b1, c41);
        x = FloatVector.broadcast(S, v[a + 5 * PANEL + k]);
        c50 = x.fma(b0, c50);
        c51 = x.fma(b1, c51);
      }
      a += panelStride;
      b += PANEL * PANEL;
    }
    c00.intoArray(z, zAt);
    c01.intoArray(z, zAt + LANES);
    c10.intoArray(z, zAt + PANEL);
    c11.intoArray(z, zAt + PANEL + LANES);
    c20.intoArray(z, zAt + 2 * PANEL);
    c21.intoArray(z, zAt + 2 * PANEL + LANES);
    c30.intoArray(z, zAt + 3 * PANEL);
    c31.intoArray(z, zAt + 3 * PANEL + LANES);
    c40.intoArray(z, zAt + 4 * PANEL);
    c41.intoArray(z, zAt + 4 * PANEL + LANES);
    c50.intoArray(z, zAt + 5 * PANEL);
    c51.intoArray(z, zAt + 5 * PANEL + LANES);
  }

  /** As many sums as thirty-two registers hold well. */
  private static void eightTiles(
      float[] v,
      int vAt,
      int panels,
      int panelStride,
      float[] u,
      int uAt,
      float[] z,
      int zAt,
      boolean accumulate) {
    FloatVector c00, c01, c10, c11, c20, c21, c30, c31, c40, c41, c50, c51, c60, c61, c70, c71;
    if (accumulate) {
      c00 = FloatVector.fromArray(S, z, zAt);
      c01 = FloatVector.fromArray(S, z, zAt + LANES);
      c10 = FloatVector.fromArray(S, z, zAt + PANEL);
      c11 = FloatVector.fromArray(S, z, zAt + PANEL + LANES);
      c20 = FloatVector.fromArray(S, z, zAt + 2 * PANEL);
      c21 = FloatVector.fromArray(S, z, zAt + 2 * PANEL + LANES);
      c30 = FloatVector.fromArray(S, z, zAt + 3 * PANEL);
      c31 = FloatVector.fromArray(S, z, zAt + 3 * PANEL + LANES);
      c40 = FloatVector.fromArray(S, z, zAt + 4 * PANEL);
      c41 = FloatVector.fromArray(S, z, zAt + 4 * PANEL + LANES);
      c50 = FloatVector.fromArray(S, z, zAt + 5 * PANEL);
      c51 = FloatVector.fromArray(S, z, zAt + 5 * PANEL + LANES);
      c60 = FloatVector.fromArray(S, z, zAt + 6 * PANEL);
      c61 = FloatVector.fromArray(S, z, zAt + 6 * PANEL + LANES);
      c70 = FloatVector.fromArray(S, z, zAt + 7 * PANEL);
      c71 = FloatVector.fromArray(S, z, zAt + 7 * PANEL + LANES);
    } else {
      c00 =
          c01 =
              c10 =
                  c11 =
                      c20 =
                          c21 =
                              c30 =
                                  c31 =
                                      c40 =
                                          c41 =
                                              c50 =
                                                  c51 = c60 = c61 = c70 = c71 = FloatVector.zero(S);
    }
    int a = vAt;
    int b = uAt;
    for (int p = 0; p < panels; p++) {
      for (int k = 0; k < PANEL; k++) {
        FloatVector b0 = FloatVector.fromArray(S, u, b + PANEL * k);
        FloatVector b1 = FloatVector.fromArray(S, u, b + PANEL * k + LANES);
        FloatVector x = FloatVector.broadcast(S, v[a + k]);
        c00 = x.fma(b0, c00);
        c01 = x.fma(b1, c01);
        x = FloatVector.broadcast(S, v[a + PANEL + k]);
        c10 = x.fma(b0, c10);
        c11 = x.fma(b1, c11);
        x = FloatVector.broadcast(S, v[a + 2 * PANEL + k]);
        c20 = x.fma(b0, c20);
        c21 = x.fma(b1, c21);
        x = FloatVector.broadcast(S, v[a + 3 * PANEL + k]);
        c30 = x.fma(b0, c30);
        c31 = x.fma(b1, c31);
        x = FloatVector.broadcast(S, v[a + 4 * PANEL + k]);
        c40 = x.fma(b0, c40);
        c41 = x.fma(b1, c41);
        x = FloatVector.broadcast(S, v[a + 5 * PANEL + k]);
        c50 = x.fma(b0, c50);
        c51 = x.fma(b1, c51);
        x = FloatVector.broadcast(S, v[a + 6 * PANEL + k]);
        c60 = x.fma(b0, c60);
        c61 = x.fma(b1, c61);
        x = FloatVector.broadcast(S, v[a + 7 * PANEL + k]);
        c70 = x.fma(b0, c70);
        c71 = x.fma(b1, c71);
      }
      a += panelStride;
      b += PANEL * PANEL;
    }
    c00.intoArray(z, zAt);
    c01.intoArray(z, zAt + LANES);
    c10.intoArray(z, zAt + PANEL);
    c11.intoArray(z, zAt + PANEL + LANES);
    c20.intoArray(z, zAt + 2 * PANEL);
    c21.intoArray(z, zAt + 2 * PANEL + LANES);
    c30.intoArray(z, zAt + 3 * PANEL);
    c31.intoArray(z, zAt + 3 * PANEL + LANES);
    c40.intoArray(z, zAt + 4 * PANEL);
    c41.intoArray(z, zAt + 4 * PANEL + LANES);
    c50.intoArray(z, zAt + 5 * PANEL);
    c51.intoArray(z, zAt + 5 * PANEL + LANES);
    c60.intoArray(z, zAt + 6 * PANEL);
    c61.intoArray(z, zAt + 6 * PANEL + LANES);
    c70.intoArray(z, zAt + 7 * PANEL);
    c71.intoArray(z, zAt + 7 * PANEL + LANES);
  }

  @Override
  public void outer(
      float[] v, int vAt, float[] z, int zAt, int count, float[] u, int uAt, boolean accumulate) {
    // 8 inputs are 4 + 4, 16 are 6 + 5 + 5, 32 are 4 times 8.
    int row = 0;
    for (; MANY_REGISTERS && row < PANEL; row += 8) {
      eightInputs(v, vAt + row, z, zAt, count, u, uAt + row * PANEL, accumulate);
    }
    for (; PANEL == 8 && row < PANEL; row += 4) {
      fourInputs(v, vAt + row, z, zAt, count, u, uAt + row * PANEL, accumulate);
    }
    for (; row < PANEL && (PANEL - row) % 5 != 0; row += 6) {
      sixInputs(v, vAt + row, z, zAt, count, u, uAt + row * PANEL, accumulate);
    }
    for (; row < PANEL; row += 5) {
      fiveInputs(v, vAt + row, z, zAt, count, u, uAt + row * PANEL, accumulate);
    }
  }

  private static void eightInputs(
      float[] v, int a, float[] z, int b, int count, float[] u, int q, boolean accumulate) {
    FloatVector c00, c01, c10, c11, c20, c21, c30, c31, c40, c41, c50, c51, c60, c61, c70, c71;
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
      c50 = FloatVector.fromArray(S, u, q + 5 * PANEL);
      c51 = FloatVector.fromArray(S, u, q + 5 * PANEL + LANES);
      c60 = FloatVector.fromArray(S, u, q + 6 * PANEL);
      c61 = FloatVector.fromArray(S, u, q + 6 * PANEL + LANES);
      c70 = FloatVector.fromArray(S, u, q + 7 * PANEL);
      c71 = FloatVector.fromArray(S, u, q + 7 * PANEL + LANES);
    } else {
      c00 =
          c01 =
              c10 =
                  c11 =
                      c20 =
                          c21 =
                              c30 =
                                  c31 =
                                      c40 =
                                          c41 =
                                              c50 =
                                                  c51 = c60 = c61 = c70 = c71 = FloatVector.zero(S);
    }
    int a1 = a + ROW[1];
    int a2 = a + ROW[2];
    int a3 = a + ROW[3];
    int a4 = a + ROW[4];
    int a5 = a + ROW[5];
    int a6 = a + ROW[6];
    int a7 = a + ROW[7];
    for (int k = 0; k < PANEL * count; k += PANEL) {
      FloatVector b0 = FloatVector.fromArray(S, z, b + k);
      FloatVector b1 = FloatVector.fromArray(S, z, b + k + LANES);
      FloatVector x = FloatVector.broadcast(S, v[a + k]);
      c00 = x.fma(b0, c00);
      c01 = x.fma(b1, c01);
      x = FloatVector.broadcast(S, v[a1 + k]);
      c10 = x.fma(b0, c10);
      c11 = x.fma(b1, c11);
      x = FloatVector.broadcast(S, v[a2 + k]);
      c20 = x.fma(b0, c20);
      c21 = x.fma(b1, c21);
      x = FloatVector.broadcast(S, v[a3 + k]);
      c30 = x.fma(b0, c30);
      c31 = x.fma(b1, c31);
      x = FloatVector.broadcast(S, v[a4 + k]);
      c40 = x.fma(b0, c40);
      c41 = x.fma(b1, c41);
      x = FloatVector.broadcast(S, v[a5 + k]);
      c50 = x.fma(b0, c50);
      c51 = x.fma(b1, c51);
      x = FloatVector.broadcast(S, v[a6 + k]);
      c60 = x.fma(b0, c60);
      c61 = x.fma(b1, c61);
      x = FloatVector.broadcast(S, v[a7 + k]);
      c70 = x.fma(b0, c70);
      c71 = x.fma(b1, c71);
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
    c50.intoArray(u, q + 5 * PANEL);
    c51.intoArray(u, q + 5 * PANEL + LANES);
    c60.intoArray(u, q + 6 * PANEL);
    c61.intoArray(u, q + 6 * PANEL + LANES);
    c70.intoArray(u, q + 7 * PANEL);
    c71.intoArray(u, q + 7 * PANEL + LANES);
  }

  private static void sixInputs(
      float[] v, int a, float[] z, int b, int count, float[] u, int q, boolean accumulate) {
    FloatVector c00, c01, c10, c11, c20, c21, c30, c31, c40, c41, c50, c51;
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
      c50 = FloatVector.fromArray(S, u, q + 5 * PANEL);
      c51 = FloatVector.fromArray(S, u, q + 5 * PANEL + LANES);
    } else {
      c00 = c01 = c10 = c11 = c20 = c21 = c30 = c31 = c40 = c41 = c50 = c51 = FloatVector.zero(S);
    }
    int a1 = a + ROW[1];
    int a2 = a + ROW[2];
    int a3 = a + ROW[3];
    int a4 = a + ROW[4];
    int a5 = a + ROW[5];
    for (int k = 0; k < PANEL * count; k += PANEL) {
      FloatVector b0 = FloatVector.fromArray(S, z, b + k);
      FloatVector b1 = FloatVector.fromArray(S, z, b + k + LANES);
      FloatVector x = FloatVector.broadcast(S, v[a + k]);
      c00 = x.fma(b0, c00);
      c01 = x.fma(b1, c01);
      x = FloatVector.broadcast(S, v[a1 + k]);
      c10 = x.fma(b0, c10);
      c11 = x.fma(b1, c11);
      x = FloatVector.broadcast(S, v[a2 + k]);
      c20 = x.fma(b0, c20);
      c21 = x.fma(b1, c21);
      x = FloatVector.broadcast(S, v[a3 + k]);
      c30 = x.fma(b0, c30);
      c31 = x.fma(b1, c31);
      x = FloatVector.broadcast(S, v[a4 + k]);
      c40 = x.fma(b0, c40);
      c41 = x.fma(b1, c41);
      x = FloatVector.broadcast(S, v[a5 + k]);
      c50 = x.fma(b0, c50);
      c51 = x.fma(b1, c51);
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
    c50.intoArray(u, q + 5 * PANEL);
    c51.intoArray(u, q + 5 * PANEL + LANES);
  }

  private static void fiveInputs(
      float[] v, int a, float[] z, int b, int count, float[] u, int q, boolean accumulate) {
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
    for (int k = 0; k < PANEL * count; k += PANEL) {
      FloatVector b0 = FloatVector.fromArray(S, z, b + k);
      FloatVector b1 = FloatVector.fromArray(S, z, b + k + LANES);
      FloatVector x = FloatVector.broadcast(S, v[a + k]);
      c00 = x.fma(b0, c00);
      c01 = x.fma(b1, c01);
      x = FloatVector.broadcast(S, v[a1 + k]);
      c10 = x.fma(b0, c10);
      c11 = x.fma(b1, c11);
      x = FloatVector.broadcast(S, v[a2 + k]);
      c20 = x.fma(b0, c20);
      c21 = x.fma(b1, c21);
      x = FloatVector.broadcast(S, v[a3 + k]);
      c30 = x.fma(b0, c30);
      c31 = x.fma(b1, c31);
      x = FloatVector.broadcast(S, v[a4 + k]);
      c40 = x.fma(b0, c40);
      c41 = x.fma(b1, c41);
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

  private static void fourInputs(
      float[] v, int a, float[] z, int b, int count, float[] u, int q, boolean accumulate) {
    FloatVector c00, c01, c10, c11, c20, c21, c30, c31;
    if (accumulate) {
      c00 = FloatVector.fromArray(S, u, q);
      c01 = FloatVector.fromArray(S, u, q + LANES);
      c10 = FloatVector.fromArray(S, u, q + PANEL);
      c11 = FloatVector.fromArray(S, u, q + PANEL + LANES);
      c20 = FloatVector.fromArray(S, u, q + 2 * PANEL);
      c21 = FloatVector.fromArray(S, u, q + 2 * PANEL + LANES);
      c30 = FloatVector.fromArray(S, u, q + 3 * PANEL);
      c31 = FloatVector.fromArray(S, u, q + 3 * PANEL + LANES);
    } else {
      c00 = c01 = c10 = c11 = c20 = c21 = c30 = c31 = FloatVector.zero(S);
    }
    int a1 = a + ROW[1];
    int a2 = a + ROW[2];
    int a3 = a + ROW[3];
    for (int k = 0; k < PANEL * count; k += PANEL) {
      FloatVector b0 = FloatVector.fromArray(S, z, b + k);
      FloatVector b1 = FloatVector.fromArray(S, z, b + k + LANES);
      FloatVector x = FloatVector.broadcast(S, v[a + k]);
      c00 = x.fma(b0, c00);
      c01 = x.fma(b1, c01);
      x = FloatVector.broadcast(S, v[a1 + k]);
      c10 = x.fma(b0, c10);
      c11 = x.fma(b1, c11);
      x = FloatVector.broadcast(S, v[a2 + k]);
      c20 = x.fma(b0, c20);
      c21 = x.fma(b1, c21);
      x = FloatVector.broadcast(S, v[a3 + k]);
      c30 = x.fma(b0, c30);
      c31 = x.fma(b1, c31);
    }
    c00.intoArray(u, q);
    c01.intoArray(u, q + LANES);
    c10.intoArray(u, q + PANEL);
    c11.intoArray(u, q + PANEL + LANES);
    c20.intoArray(u, q + 2 * PANEL);
    c21.intoArray(u, q + 2 * PANEL + LANES);
    c30.intoArray(u, q + 3 * PANEL);
    c31.intoArray(u, q + 3 * PANEL + LANES);
  }
}

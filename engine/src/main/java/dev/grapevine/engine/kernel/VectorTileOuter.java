package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.S;

import jdk.incubator.vector.FloatVector;

/** {@link TileKernels#outer} on the Vector API, four to eight inputs at a time. */
final class VectorTileOuter {

  private static final int LANES = S.length();
  private static final int PANEL = 2 * LANES;

  /**
   * Offsets of neighbouring rows, from a table on purpose: where the compiler sees that six values
   * are neighbours, it loads several ahead, runs out of registers and spills sums (63 instead of 88
   * GFLOP/s).
   */
  private static final int[] ROW = {0, 1, 2, 3, 4, 5, 6, 7};

  /** Machines with vectors of 512 bits have thirty-two registers for them. */
  private static final boolean MANY_REGISTERS = LANES == 16;

  private VectorTileOuter() {}

  static void outer(
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

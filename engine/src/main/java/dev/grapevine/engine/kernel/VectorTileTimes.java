package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.S;

import jdk.incubator.vector.FloatVector;

/** {@link TileKernels#times} on the Vector API, six or eight tiles at a time. */
final class VectorTileTimes {

  private static final int LANES = S.length();
  private static final int PANEL = 2 * LANES;

  /** Machines with vectors of 512 bits have thirty-two registers for them. */
  private static final boolean MANY_REGISTERS = LANES == 16;

  static final int AT_ONCE = MANY_REGISTERS ? 8 : Rows.BLOCK;

  private VectorTileTimes() {}

  static void times(
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
    for (; MANY_REGISTERS && count - i > Rows.BLOCK; i += AT_ONCE) {
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
}

package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.S;

/**
 * {@link TileKernels} on the Vector API. A transform takes all columns of a tile through scratch,
 * then all rows, one vector of channels after the other.
 */
final class VectorTileKernels implements TileKernels {

  private static final int LANES = S.length();
  private static final int PANEL = 2 * LANES;
  private static final float[] ZEROS = new float[LANES];

  @Override
  public int atOnce() {
    return VectorTileTimes.AT_ONCE;
  }

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
          VectorF23.kernel(taps, at + half, PANEL, points, to + half, pointStride);
        }
        case F4_3 -> {
          VectorF43.kernel(taps, at + half, PANEL, points, to + half, pointStride);
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
          VectorF23.kernelGradient(points, at + half, pointStride, taps, to + half, PANEL);
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
    VectorTileTimes.times(v, vAt, panels, panelStride, u, uAt, z, zAt, count, accumulate);
  }

  @Override
  public void outer(
      float[] v, int vAt, float[] z, int zAt, int count, float[] u, int uAt, boolean accumulate) {
    VectorTileOuter.outer(v, vAt, z, zAt, count, u, uAt, accumulate);
  }
}

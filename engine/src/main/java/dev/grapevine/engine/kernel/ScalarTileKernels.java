package dev.grapevine.engine.kernel;

/** {@link TileKernels} by the matrices, without vectors. */
final class ScalarTileKernels implements TileKernels {

  private static final int PANEL = ScalarKernels.PANEL;

  /** M s Mᵀ for a panel of channels. */
  private static void sandwich(
      float[][] matrix,
      float[] s,
      int at,
      int rowStride,
      int columnStride,
      float[] d,
      int to,
      int rowStep,
      int columnStep,
      float[] scratch) {
    int from = matrix[0].length;
    for (int c = 0; c < PANEL; c++) {
      for (int j = 0; j < from; j++) {
        for (int i = 0; i < matrix.length; i++) {
          float sum = 0;
          for (int k = 0; k < from; k++) {
            sum += matrix[i][k] * s[at + c + k * rowStride + j * columnStride];
          }
          scratch[i * from + j] = sum;
        }
      }
      for (int i = 0; i < matrix.length; i++) {
        for (int j = 0; j < matrix.length; j++) {
          float sum = 0;
          for (int k = 0; k < from; k++) {
            sum += matrix[j][k] * scratch[i * from + k];
          }
          d[to + c + i * rowStep + j * columnStep] = sum;
        }
      }
    }
  }

  @Override
  public int atOnce() {
    return 1;
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
    sandwich(
        FilteringMatrices.of(filtering).input(),
        image,
        at,
        rowStride,
        columnStride,
        points,
        to,
        filtering.tile() * pointStride,
        pointStride,
        scratch);
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
    sandwich(
        FilteringMatrices.of(filtering).output(),
        points,
        at,
        filtering.tile() * pointStride,
        pointStride,
        image,
        to,
        rowStride,
        columnStride,
        scratch);
    for (int i = 0; i < filtering.outputs(); i++) {
      for (int j = 0; j < filtering.outputs(); j++) {
        for (int c = 0; c < PANEL; c++) {
          image[to + i * rowStride + j * columnStride + c] += start[startAt + c];
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
    sandwich(
        FilteringMatrices.of(filtering).gradient(),
        image,
        at,
        rowStride,
        columnStride,
        points,
        to,
        filtering.tile() * pointStride,
        pointStride,
        scratch);
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
    sandwich(
        FilteringMatrices.of(filtering).weights(),
        taps,
        at,
        filtering.kernel() * PANEL,
        PANEL,
        points,
        to,
        filtering.tile() * pointStride,
        pointStride,
        scratch);
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
    sandwich(
        FilteringMatrices.of(filtering).weightGradient(),
        points,
        at,
        filtering.tile() * pointStride,
        pointStride,
        taps,
        to,
        filtering.kernel() * PANEL,
        PANEL,
        scratch);
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
    for (int i = 0; i < Rows.roundUp(count) * PANEL; i += PANEL) {
      for (int j = 0; j < PANEL; j++) {
        float sum = accumulate ? z[zAt + i + j] : 0;
        for (int c = 0; c < panels * PANEL; c++) {
          sum += v[vAt + i + c / PANEL * panelStride + c % PANEL] * u[uAt + c * PANEL + j];
        }
        z[zAt + i + j] = sum;
      }
    }
  }

  @Override
  public void outer(
      float[] v, int vAt, float[] z, int zAt, int count, float[] u, int uAt, boolean accumulate) {
    for (int i = 0; i < PANEL; i++) {
      for (int j = 0; j < PANEL; j++) {
        float sum = accumulate ? u[uAt + i * PANEL + j] : 0;
        for (int k = 0; k < count * PANEL; k += PANEL) {
          sum += v[vAt + k + i] * z[zAt + k + j];
        }
        u[uAt + i * PANEL + j] = sum;
      }
    }
  }
}

package dev.grapevine.engine.kernel;

/** {@link StripKernels} by the matrices, without vectors. */
final class ScalarStripKernels implements StripKernels {

  private static final int PANEL = ScalarKernels.PANEL;

  /** M s for {@code count} neighbouring columns. */
  private static void apply(
      float[][] matrix, float[] s, int at, int stride, int count, float[] d, int to, int step) {
    for (int c = 0; c < count; c++) {
      for (int i = 0; i < matrix.length; i++) {
        float sum = 0;
        for (int k = 0; k < matrix[i].length; k++) {
          sum += matrix[i][k] * s[at + c + k * stride];
        }
        d[to + c + i * step] = sum;
      }
    }
  }

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
    apply(
        FilteringMatrices.of(filtering).input(),
        image,
        at,
        rowStride,
        count,
        points,
        to,
        pointStride);
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
    float[][] matrix = FilteringMatrices.of(filtering).output();
    for (int x = 0; x < width; x++) {
      int into = to + x * columnStride;
      apply(matrix, points, at + x * PANEL, pointStride, PANEL, image, into, rowStride);
      for (int i = 0; i < matrix.length; i++) {
        for (int c = 0; c < PANEL; c++) {
          image[into + i * rowStride + c] += start[startAt + c];
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
      int count,
      float[] points,
      int to,
      int pointStride) {
    apply(
        FilteringMatrices.of(filtering).gradient(),
        image,
        at,
        rowStride,
        count,
        points,
        to,
        pointStride);
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
    float[][] matrix = FilteringMatrices.of(filtering).weights();
    int kernel = filtering.kernel();
    for (int column = 0; column < kernel; column++) {
      apply(
          matrix,
          taps,
          at + column * PANEL,
          kernel * PANEL,
          PANEL,
          points,
          to + column * next,
          pointStride);
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
    float[][] matrix = FilteringMatrices.of(filtering).weightGradient();
    int kernel = filtering.kernel();
    for (int column = 0; column < kernel; column++) {
      apply(
          matrix,
          points,
          at + column * next,
          pointStride,
          PANEL,
          taps,
          to + column * PANEL,
          kernel * PANEL);
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
    for (int i = 0; i < depth; i++) {
      for (int j = 0; j < PANEL; j++) {
        float sum = accumulate ? u[uAt + i * PANEL + j] : 0;
        for (int x = 0; x < count; x++) {
          sum += v[vAt + x * vStride + i] * z[zAt + x * zStride + j];
        }
        u[uAt + i * PANEL + j] = sum;
      }
    }
  }
}

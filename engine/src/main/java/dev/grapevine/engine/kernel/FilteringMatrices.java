package dev.grapevine.engine.kernel;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The matrices of one algorithm in single precision, as [to][from]. */
record FilteringMatrices(
    float[][] input,
    float[][] output,
    float[][] gradient,
    float[][] weights,
    float[][] weightGradient) {

  private static final Map<MinimalFiltering, FilteringMatrices> ALL = all();

  static FilteringMatrices of(MinimalFiltering filtering) {
    return Objects.requireNonNull(ALL.get(filtering));
  }

  private static Map<MinimalFiltering, FilteringMatrices> all() {
    Map<MinimalFiltering, FilteringMatrices> all = new EnumMap<>(MinimalFiltering.class);
    for (MinimalFiltering f : MinimalFiltering.values()) {
      float[][] gradient = single(f.gradientMatrix());
      float[][] weights = single(f.weightMatrix());
      all.put(
          f,
          new FilteringMatrices(
              single(f.inputMatrix()),
              transposed(gradient),
              gradient,
              weights,
              transposed(weights)));
    }
    return all;
  }

  private static float[][] single(double[][] matrix) {
    float[][] result = new float[matrix.length][matrix[0].length];
    for (int i = 0; i < result.length; i++) {
      for (int j = 0; j < result[i].length; j++) {
        result[i][j] = (float) matrix[i][j];
      }
    }
    return result;
  }

  private static float[][] transposed(float[][] matrix) {
    float[][] result = new float[matrix[0].length][matrix.length];
    for (int i = 0; i < matrix.length; i++) {
      for (int j = 0; j < matrix[i].length; j++) {
        result[j][i] = matrix[i][j];
      }
    }
    return result;
  }
}

package dev.grapevine.engine.kernel;

/**
 * Minimal filtering F(m×m, r×r): m×m outputs of a convolution with an r×r kernel from one tile of
 * t×t inputs, t = m + r − 1, with t² multiplications per pair of channels instead of m²·r². With
 * the matrices of the chosen points,
 *
 * <pre>
 * Y  = Aᵀ [ Σ_inputs (G w Gᵀ) ⊙ (Bᵀ d B) ] A
 * dw = Gᵀ [ Σ_tiles (Bᵀ d B) ⊙ (A dY Aᵀ) ] G
 * </pre>
 *
 * and the gradient of the input is the first line with dY, the kernel turned round, inputs and
 * outputs exchanged.
 *
 * <p>A. Lavin, S. Gray, Fast Algorithms for Convolutional Neural Networks, CVPR 2016, after S.
 * Winograd and A. Toom. The points ±3/2 and ±2/3 halve the error of the usual ±1 and ±2 (B.
 * Barabasz et al., Error Analysis and Improving the Accuracy of Winograd Convolution, 2020, discuss
 * the choice).
 */
public enum MinimalFiltering {
  /** Tiles of 4×4 for 3×3 kernels: 2.25 times fewer multiplications. */
  F2_3(2, 3, 1),
  /** Tiles of 6×6 for 3×3 kernels: 4 times fewer multiplications. */
  F4_3(4, 3, 3.0 / 2, 2.0 / 3),
  /** Tiles of 8×8 for 5×5 kernels: 6.25 times fewer multiplications. */
  F4_5(4, 5, 1, 2, 1.0 / 2);

  private final int outputs;
  private final int kernel;

  /** 0, and every point with both signs. */
  private final double[] points;

  MinimalFiltering(int outputs, int kernel, double... positive) {
    this.outputs = outputs;
    this.kernel = kernel;
    this.points = new double[2 * positive.length + 1];
    for (int i = 0; i < positive.length; i++) {
      points[2 * i + 1] = positive[i];
      points[2 * i + 2] = -positive[i];
    }
  }

  /** m: outputs of a tile, per dimension. */
  public int outputs() {
    return outputs;
  }

  /** r: taps of the kernel, per dimension. */
  public int kernel() {
    return kernel;
  }

  /** t: inputs of a tile, per dimension. */
  public int tile() {
    return outputs + kernel - 1;
  }

  /** t²: products per tile and pair of channels. */
  public int products() {
    return tile() * tile();
  }

  /** Floats of scratch that the {@link TileKernels} want. */
  public int scratch(Kernels kernels) {
    return products() * kernels.panel();
  }

  /** Bᵀ, t×t: row p holds the coefficients of Π (x − q) over the other finite points q. */
  double[][] inputMatrix() {
    double[][] matrix = new double[tile()][];
    for (int p = 0; p < tile(); p++) {
      double[] row = new double[tile()];
      row[0] = 1;
      int degree = 0;
      for (int q = 0; q < points.length; q++) {
        if (q != p) {
          degree++;
          for (int i = degree; i >= 0; i--) {
            row[i] = (i == 0 ? 0 : row[i - 1]) - points[q] * row[i];
          }
        }
      }
      matrix[p] = row;
    }
    return matrix;
  }

  /** G, t×r: row p holds p^j / Π (p − q); at infinity the last tap. */
  double[][] weightMatrix() {
    double[][] matrix = powers(kernel);
    for (int p = 0; p < points.length; p++) {
      double norm = 1;
      for (int q = 0; q < points.length; q++) {
        norm *= q == p ? 1 : points[p] - points[q];
      }
      for (int j = 0; j < kernel; j++) {
        matrix[p][j] /= norm;
      }
    }
    return matrix;
  }

  /** A, t×m: row p holds p^i; at infinity the last output. */
  double[][] gradientMatrix() {
    return powers(outputs);
  }

  private double[][] powers(int count) {
    double[][] matrix = new double[tile()][count];
    for (int p = 0; p < points.length; p++) {
      for (int i = 0; i < count; i++) {
        matrix[p][i] = Math.pow(points[p], i);
      }
    }
    matrix[tile() - 1][count - 1] = 1;
    return matrix;
  }

  /**
   * How much more a rounding error weighs than in a direct convolution, in one dimension: the root
   * mean square over random inputs and weights of what the products add up from, against that of
   * their sum. 1.3, 2.7 and 5.5; measured errors are 0.9 to 6 times those of direct convolutions.
   */
  public double amplification() {
    double[][] a = gradientMatrix();
    double[][] b = inputMatrix();
    double[][] g = weightMatrix();
    double largest = 0;
    for (int i = 0; i < outputs; i++) {
      double sum = 0;
      for (int p = 0; p < tile(); p++) {
        sum += a[p][i] * a[p][i] * squares(b[p]) * squares(g[p]);
      }
      largest = Math.max(largest, sum);
    }
    return Math.sqrt(largest / kernel);
  }

  private static double squares(double[] row) {
    double sum = 0;
    for (double value : row) {
      sum += value * value;
    }
    return sum;
  }
}

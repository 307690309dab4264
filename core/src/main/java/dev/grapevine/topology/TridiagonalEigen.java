package dev.grapevine.topology;

import java.util.Arrays;

/**
 * The largest eigenvalue of a symmetric tridiagonal matrix: bisection on the number of eigenvalues
 * below a point (Sturm's sequence), and the last component of its eigenvector.
 */
final class TridiagonalEigen {

  /**
   * @param value the largest eigenvalue
   * @param lastComponent of its eigenvector of length one
   */
  record Top(double value, double lastComponent) {}

  private TridiagonalEigen() {}

  /**
   * @param diagonal entries (i, i)
   * @param beside entries (i, i − 1) at index i
   */
  static Top top(double[] diagonal, double[] beside, int size) {
    double low = diagonal[0];
    double high = diagonal[0];
    for (int i = 0; i < size; i++) {
      double radius =
          (i > 0 ? Math.abs(beside[i]) : 0) + (i + 1 < size ? Math.abs(beside[i + 1]) : 0);
      low = Math.max(low, diagonal[i]);
      high = Math.max(high, diagonal[i] + radius);
    }
    double precision = 1e-16 * Math.max(1, Math.abs(high));
    while (high - low > precision) {
      double middle = (low + high) / 2;
      if (middle <= low || middle >= high) {
        break;
      }
      if (allBelow(middle, diagonal, beside, size)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return new Top(high, lastComponent(high, diagonal, beside, size));
  }

  /** Whether value·I minus the matrix has only positive pivots. */
  private static boolean allBelow(double value, double[] diagonal, double[] beside, int size) {
    double pivot = value - diagonal[0];
    for (int i = 1; i < size && pivot > 0; i++) {
      pivot = value - diagonal[i] - beside[i] * beside[i] / pivot;
    }
    return pivot > 0;
  }

  /** Two steps of inverse iteration just above the eigenvalue, where all pivots are positive. */
  private static double lastComponent(double value, double[] diagonal, double[] beside, int size) {
    double shift = value + 1e-14 * Math.max(1, Math.abs(value));
    double[] pivots = new double[size];
    double[] x = new double[size];
    Arrays.fill(x, 1);
    for (int i = 0; i < size; i++) {
      double pivot = shift - diagonal[i] - (i == 0 ? 0 : beside[i] * beside[i] / pivots[i - 1]);
      pivots[i] = Math.max(pivot, 1e-300);
    }
    for (int pass = 0; pass < 3; pass++) {
      for (int i = 1; i < size; i++) {
        x[i] += beside[i] / pivots[i - 1] * x[i - 1];
      }
      double squares = 0;
      for (int i = size - 1; i >= 0; i--) {
        x[i] = (x[i] + (i + 1 < size ? beside[i + 1] * x[i + 1] : 0)) / pivots[i];
      }
      double largest = 0;
      for (double entry : x) {
        largest = Math.max(largest, Math.abs(entry));
      }
      for (int i = 0; i < size; i++) {
        x[i] /= largest;
        squares += x[i] * x[i];
      }
      double length = Math.sqrt(squares);
      for (int i = 0; i < size; i++) {
        x[i] /= length;
      }
    }
    return x[size - 1];
  }
}

package dev.grapevine.topology;

import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * The largest eigenvalue of a symmetric map on one number per node, among the vectors whose entries
 * add up to zero: Lanczos iteration with full reorthogonalization (C. Lanczos 1950), O(steps · cost
 * of the map + steps² · nodes).
 */
final class Lanczos {

  private static final int STEPS = 1200;
  private static final int STEPS_BETWEEN_CHECKS = 20;
  private static final double TOLERANCE = 1e-13;

  /**
   * @param exact false when the iteration was cut short; then {@code value} is a lower bound
   */
  record Largest(double value, boolean exact) {}

  private Lanczos() {}

  /**
   * @param map gives a new array; need not keep the sum of the entries at zero
   */
  static Largest largest(int nodes, UnaryOperator<double[]> map) {
    int steps = Math.min(nodes, STEPS);
    double[][] basis = new double[steps + 1][];
    double[] diagonal = new double[steps];
    double[] beside = new double[steps + 1];
    basis[0] = randomStart(nodes);
    for (int step = 0; step < steps; step++) {
      double[] next = centre(map.apply(basis[step]));
      diagonal[step] = dot(next, basis[step]);
      // Twice is enough (Kahan, Parlett): orthogonal to all former ones up to rounding.
      for (int pass = 0; pass < 2; pass++) {
        for (int i = step; i >= 0; i--) {
          addScaled(next, -dot(next, basis[i]), basis[i]);
        }
        centre(next);
      }
      double length = Math.sqrt(dot(next, next));
      boolean exhausted = length < TOLERANCE || step + 2 >= nodes;
      if (exhausted || step % STEPS_BETWEEN_CHECKS == STEPS_BETWEEN_CHECKS - 1) {
        TridiagonalEigen.Top top = TridiagonalEigen.top(diagonal, beside, step + 1);
        if (exhausted || length * Math.abs(top.lastComponent()) < TOLERANCE) {
          return new Largest(top.value(), true);
        }
      }
      scale(next, 1 / length);
      basis[step + 1] = next;
      beside[step + 1] = length;
    }
    return new Largest(TridiagonalEigen.top(diagonal, beside, steps).value(), false);
  }

  private static double[] randomStart(int nodes) {
    RandomGenerator random = RandomGraph.random(nodes, 0);
    double[] start = new double[nodes];
    for (int i = 0; i < nodes; i++) {
      start[i] = random.nextDouble() - 0.5;
    }
    return unit(centre(start));
  }

  /** Takes the mean off, in place. */
  static double[] centre(double[] x) {
    double sum = 0;
    for (double entry : x) {
      sum += entry;
    }
    for (int i = 0; i < x.length; i++) {
      x[i] -= sum / x.length;
    }
    return x;
  }

  /** Scales to length one, in place, unless there is nothing to scale. */
  static double[] unit(double[] x) {
    double length = Math.sqrt(dot(x, x));
    if (length > 0) {
      scale(x, 1 / length);
    }
    return x;
  }

  private static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += x[i] * y[i];
    }
    return sum;
  }

  private static void addScaled(double[] x, double factor, double[] y) {
    for (int i = 0; i < x.length; i++) {
      x[i] += factor * y[i];
    }
  }

  private static void scale(double[] x, double factor) {
    for (int i = 0; i < x.length; i++) {
      x[i] *= factor;
    }
  }
}

package dev.grapevine.topology;

import java.util.random.RandomGenerator;

/**
 * How fast gossip forgets disagreement: 1 − ‖(I − J) W (I − J)‖₂, with W the mixing matrix and J
 * the exact averaging. One mixing shrinks the distance from the mean at least by the factor 1 −
 * gap. For symmetric weights this is the usual 1 − max(|λ₂|, |λₙ|).
 *
 * <p>Found by Lanczos iteration with full reorthogonalization on the square of the restricted
 * matrix (C. Lanczos 1950): O(steps · edges + steps² · nodes).
 *
 * @param value the gap, from 0 (never agrees) to 1 (agrees at once)
 * @param exact false when the iteration was cut short; then {@code value} is an upper bound
 */
public record SpectralGap(double value, boolean exact) {

  private static final int STEPS = 1200;
  private static final int STEPS_BETWEEN_CHECKS = 20;
  private static final double TOLERANCE = 1e-13;

  /** The gap of {@code rounds} rounds of mixing from {@code firstRound} on, taken together. */
  public static SpectralGap of(Topology topology, int firstRound, int rounds) {
    return of(new MixingMatrix(topology, firstRound, rounds));
  }

  static SpectralGap of(MixingMatrix matrix) {
    int nodes = matrix.nodes();
    int steps = Math.min(nodes, STEPS);
    double[][] basis = new double[steps + 1][];
    double[] diagonal = new double[steps];
    double[] beside = new double[steps + 1];
    basis[0] = randomStart(nodes);
    for (int step = 0; step < steps; step++) {
      double[] next = squared(matrix, basis[step]);
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
          return new SpectralGap(gap(top.value()), true);
        }
      }
      scale(next, 1 / length);
      basis[step + 1] = next;
      beside[step + 1] = length;
    }
    return new SpectralGap(gap(TridiagonalEigen.top(diagonal, beside, steps).value()), false);
  }

  private static double gap(double squaredNorm) {
    double gap = 1 - Math.sqrt(Math.max(0, squaredNorm));
    return Math.min(1, gap < 1e-12 ? 0 : gap);
  }

  private static double[] squared(MixingMatrix matrix, double[] x) {
    double[] y = centre(matrix.times(x));
    return centre(matrix.transposedTimes(y));
  }

  private static double[] randomStart(int nodes) {
    RandomGenerator random = RandomGraph.random(nodes, 0);
    double[] start = new double[nodes];
    for (int i = 0; i < nodes; i++) {
      start[i] = random.nextDouble() - 0.5;
    }
    centre(start);
    double length = Math.sqrt(dot(start, start));
    if (length > 0) {
      scale(start, 1 / length);
    }
    return start;
  }

  private static double[] centre(double[] x) {
    double sum = 0;
    for (double entry : x) {
      sum += entry;
    }
    for (int i = 0; i < x.length; i++) {
      x[i] -= sum / x.length;
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

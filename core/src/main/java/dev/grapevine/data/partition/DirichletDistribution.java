package dev.grapevine.data.partition;

import java.util.random.RandomGenerator;

/**
 * The symmetric Dirichlet distribution, drawn as normalised Gamma variates (G. Marsaglia, W. Tsang,
 * A Simple Method for Generating Gamma Variables, 2000). Logarithms throughout: with a small
 * concentration all variates may be below the smallest double, and plain ones would give 0/0.
 */
final class DirichletDistribution {

  private DirichletDistribution() {}

  /** Shares that add up to one. */
  static double[] draw(int parts, double alpha, RandomGenerator random) {
    double[] shares = new double[parts];
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < parts; i++) {
      shares[i] = logGamma(alpha, random);
      largest = Math.max(largest, shares[i]);
    }
    double sum = 0;
    for (int i = 0; i < parts; i++) {
      shares[i] = Math.exp(shares[i] - largest);
      sum += shares[i];
    }
    for (int i = 0; i < parts; i++) {
      shares[i] /= sum;
    }
    return shares;
  }

  /** The logarithm of a Gamma(shape, 1) variate. */
  private static double logGamma(double shape, RandomGenerator random) {
    if (shape < 1) {
      // Gamma(a) = Gamma(a + 1) * U^(1/a)
      return logGamma(shape + 1, random) + Math.log(1 - random.nextDouble()) / shape;
    }
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    // Accepts at least 95 % of the time for any shape of 1 or more.
    while (true) {
      double x = random.nextGaussian();
      double v = 1 + c * x;
      if (v <= 0) {
        continue;
      }
      double logV = 3 * Math.log(v);
      double u = 1 - random.nextDouble();
      if (Math.log(u) < x * x / 2 + d - d * Math.exp(logV) + d * logV) {
        return Math.log(d) + logV;
      }
    }
  }
}

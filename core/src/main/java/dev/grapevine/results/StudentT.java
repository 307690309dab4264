package dev.grapevine.results;

/** Student's t distribution, through the regularized incomplete beta function. */
final class StudentT {

  private static final double[] LANCZOS = {
    0.9999999999998099,
    676.5203681218851,
    -1259.1392167224028,
    771.3234287776531,
    -176.6150291621406,
    12.507343278686905,
    -0.13857109526572012,
    9.984369578019572e-6,
    1.5056327351493116e-7
  };

  private StudentT() {}

  /** The probability that |T| is at least |t|. */
  static double twoSided(double t, double degrees) {
    if (Double.isInfinite(t)) {
      return 0;
    }
    return incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t));
  }

  /** The t below which a share {@code probability} ≥ ½ of the distribution lies. */
  static double quantile(double probability, double degrees) {
    double tail = 2 * (1 - probability);
    double high = 1;
    while (twoSided(high, degrees) > tail) {
      high *= 2;
    }
    double low = 0;
    for (int i = 0; i < 200 && high - low > 1e-14 * high; i++) {
      double middle = (low + high) / 2;
      if (twoSided(middle, degrees) > tail) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  private static double incompleteBeta(double a, double b, double x) {
    if (x <= 0 || x >= 1) {
      return x <= 0 ? 0 : 1;
    }
    double front =
        Math.exp(
            logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
    return x < (a + 1) / (a + b + 2)
        ? front * continuedFraction(a, b, x) / a
        : 1 - front * continuedFraction(b, a, 1 - x) / b;
  }

  /** Lentz's method (NIST Digital Library of Mathematical Functions, 8.17.22). */
  private static double continuedFraction(double a, double b, double x) {
    double c = 1;
    double d = 1 / nonZero(1 - (a + b) * x / (a + 1));
    double fraction = d;
    for (int m = 1; m < 10_000; m++) {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / nonZero(1 + even * d);
      c = nonZero(1 + even / c);
      fraction *= d * c;
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / nonZero(1 + odd * d);
      c = nonZero(1 + odd / c);
      fraction *= d * c;
      if (Math.abs(d * c - 1) < 1e-16) {
        break;
      }
    }
    return fraction;
  }

  private static double nonZero(double x) {
    return Math.abs(x) < 1e-300 ? 1e-300 : x;
  }

  private static double logGamma(double x) {
    if (x < 0.5) {
      return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
    }
    double sum = LANCZOS[0];
    for (int i = 1; i < LANCZOS.length; i++) {
      sum += LANCZOS[i] / (x - 1 + i);
    }
    double t = x + 6.5;
    return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
  }
}

package dev.grapevine.results;

/**
 * Student's paired t-test: whether two series that belong together pair by pair, such as two
 * methods under the same seeds, differ in their mean.
 *
 * @param pairs how many pairs there were
 * @param difference mean of first minus second
 * @param t the test statistic; NaN for fewer than two pairs
 * @param p the probability of a difference as large by chance alone; NaN for fewer than two pairs
 */
public record PairedTest(int pairs, double difference, double t, double p) {

  public static PairedTest of(double[] first, double[] second) {
    if (first.length != second.length) {
      throw new IllegalArgumentException(
          "a paired test needs pairs: first=" + first.length + ", second=" + second.length);
    }
    double[] differences = new double[first.length];
    for (int i = 0; i < first.length; i++) {
      differences[i] = first[i] - second[i];
    }
    Spread spread = Spread.of(differences);
    if (spread.count() < 2) {
      return new PairedTest(spread.count(), spread.mean(), Double.NaN, Double.NaN);
    }
    double t = spread.mean() / (spread.deviation() / Math.sqrt(spread.count()));
    // All differences zero: no sign of any difference.
    double p = Double.isNaN(t) ? 1 : StudentT.twoSided(t, spread.count() - 1);
    return new PairedTest(spread.count(), spread.mean(), t, p);
  }

  /** Whether the difference is significant at the level of 5 %. */
  public boolean isSignificant() {
    return p < 0.05;
  }
}

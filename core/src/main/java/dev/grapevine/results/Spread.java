package dev.grapevine.results;

/**
 * Numbers taken together, over nodes or over seeds: their mean and how far they spread.
 *
 * @param count how many
 * @param mean their mean, NaN of none
 * @param deviation their standard deviation with divisor count − 1; 0 of a single one
 */
public record Spread(int count, double mean, double deviation) {

  /** Of no numbers. */
  public static final Spread EMPTY = new Spread(0, Double.NaN, Double.NaN);

  /** Mean and deviation, in two passes for accuracy; NaN members are left out. */
  public static Spread of(double... values) {
    double sum = 0;
    int count = 0;
    for (double value : values) {
      if (!Double.isNaN(value)) {
        sum += value;
        count++;
      }
    }
    if (count == 0) {
      return EMPTY;
    }
    double mean = sum / count;
    double squares = 0;
    for (double value : values) {
      if (!Double.isNaN(value)) {
        squares += (value - mean) * (value - mean);
      }
    }
    return new Spread(count, mean, count == 1 ? 0 : Math.sqrt(squares / (count - 1)));
  }

  /**
   * Half the width of the 95 % confidence interval of the mean, by Student's t distribution; NaN
   * for fewer than two members, of which nothing can be said.
   */
  public double confidence95() {
    return count < 2
        ? Double.NaN
        : StudentT.quantile(0.975, count - 1) * deviation / Math.sqrt(count);
  }
}

package dev.grapevine.runtime.report;

import dev.grapevine.learning.Learner;

/**
 * The sum of models of one round. It is in fixed point: unlike floating point, it comes out the
 * same in whatever order models are added, and in whatever groups, so that the average of a run
 * does not depend on which process has which nodes. Safe for concurrent use.
 */
public final class ModelSum {

  /** Resolution of the sums: 2^-36 leaves room for 1024 models of values up to 2^17. */
  private static final double SCALE = 0x1p36;

  /** What the values of one coordinate may add up to before the sum would wrap. */
  private static final double LARGEST_SUM = 0x1p63 / SCALE;

  private final int round;
  private final double[] squares;
  private long[] total;
  private long[] statistics;
  private int count;
  private boolean finite;

  /**
   * The sum of no models.
   *
   * @param nodes how many nodes there are in the whole run
   */
  public ModelSum(int round, int nodes) {
    this(round, 0, true, new double[nodes], new long[0], new long[0]);
  }

  /**
   * A sum made elsewhere.
   *
   * @param squares for each node of the whole run the sum of squares of its parameters
   */
  public ModelSum(
      int round, int count, boolean finite, double[] squares, long[] total, long[] statistics) {
    this.round = round;
    this.count = count;
    this.finite = finite;
    this.squares = squares;
    this.total = total;
    this.statistics = statistics;
  }

  synchronized void add(int node, Learner learner) {
    float[] parameters = learner.parameters();
    if (count == 0) {
      total = new long[parameters.length];
      statistics = new long[learner.statistics().length];
    }
    double square = 0;
    for (float value : parameters) {
      square += (double) value * value;
    }
    squares[node] = square;
    addTo(total, parameters);
    addTo(statistics, learner.statistics());
    count++;
  }

  /** Adds; a value so large that a sum could wrap makes the average no number. */
  private void addTo(long[] sums, float[] values) {
    double largest = 0;
    for (int i = 0; i < values.length; i++) {
      double value = values[i];
      sums[i] += (long) (value * SCALE);
      largest = Math.max(largest, Math.abs(value));
    }
    finite &= largest < LARGEST_SUM / squares.length;
  }

  /** Adds the models of other nodes. */
  public synchronized void add(ModelSum other) {
    if (other.count == 0) {
      return;
    }
    if (count == 0) {
      total = new long[other.total.length];
      statistics = new long[other.statistics.length];
    }
    requireSameLength(total, other.total);
    requireSameLength(statistics, other.statistics);
    for (int i = 0; i < total.length; i++) {
      total[i] += other.total[i];
    }
    for (int i = 0; i < statistics.length; i++) {
      statistics[i] += other.statistics[i];
    }
    for (int node = 0; node < squares.length; node++) {
      squares[node] += other.squares[node];
    }
    count += other.count;
    finite &= other.finite;
  }

  private static void requireSameLength(long[] one, long[] other) {
    if (one.length != other.length) {
      throw new IllegalArgumentException(
          "sums of models of different sizes: one=%d, other=%d"
              .formatted(one.length, other.length));
    }
  }

  private float[] mean(long[] sums) {
    float[] mean = new float[sums.length];
    for (int i = 0; i < mean.length; i++) {
      mean[i] = finite ? (float) (sums[i] / SCALE / count) : Float.NaN;
    }
    return mean;
  }

  /** The mean of all that were added; there must be one. */
  public synchronized AverageModel average() {
    double squareOfMean = 0;
    for (long sum : total) {
      double value = sum / SCALE / count;
      squareOfMean += value * value;
    }
    double meanSquare = 0;
    for (double square : squares) {
      meanSquare += square / count;
    }
    double distance = Math.sqrt(Math.max(0, meanSquare - squareOfMean));
    return new AverageModel(
        round, count, mean(total), mean(statistics), finite ? distance : Double.NaN);
  }

  public int round() {
    return round;
  }

  /** How many models were added. */
  public synchronized int count() {
    return count;
  }

  /** Whether all values were small enough to be added. */
  public synchronized boolean isFinite() {
    return finite;
  }

  /** The sum of squares of each node's parameters; 0 for one that was not added. */
  public double[] squares() {
    return squares;
  }

  /** The sums of parameters, in units of 2^-36. */
  public synchronized long[] total() {
    return total;
  }

  /** The sums of running statistics, in the same units. */
  public synchronized long[] statistics() {
    return statistics;
  }
}

package dev.grapevine.aggregation;

import dev.grapevine.aggregation.Heard.Weighted;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * What a robust rule chooses among: the node's own vector, unless it does not count, and then what
 * was heard. Vectors are looked at block by block; none is ever built.
 */
public final class Candidates {

  private static final int BLOCK = 1024;

  /** By how much weights may miss their sum. */
  private static final double ROUNDING = 1e-9;

  private final float[] own;
  private final int size;
  private final Heard heard;
  private final int first;

  public Candidates(float[] own, int size, Heard heard) {
    this.own = own;
    this.size = size;
    this.heard = heard;
    this.first = heard.selfWeight() > 0 ? 1 : 0;
  }

  /** How many there are. */
  public int count() {
    return first + heard.updates().size();
  }

  /** How much one of them counts in a mean. */
  public double weight(int candidate) {
    return candidate < first ? heard.selfWeight() : update(candidate).weight();
  }

  private Weighted update(int candidate) {
    return heard.updates().get(candidate - first);
  }

  /** Copies coordinates of one candidate into the beginning of {@code block}. */
  public void read(int candidate, int from, int length, float[] block) {
    if (candidate < first) {
      System.arraycopy(own, from, block, 0, length);
    } else {
      update(candidate).update().read(from, length, own, block);
    }
  }

  /**
   * What a rule makes of some coordinates: {@code ranked[k]} holds the k-th smallest value of each,
   * {@code result} takes the outcome.
   */
  @FunctionalInterface
  public interface Rule {
    void combine(float[][] ranked, int length, float[] result);
  }

  /**
   * Applies a rule to each coordinate by itself, with the candidates' values in order. What is no
   * number comes last, and a result that is not finite leaves the node's own.
   *
   * <p>The order comes from compare-exchanges between whole rows, n²/2 of them for n candidates,
   * which the compiler turns into vector instructions.
   */
  public void eachCoordinate(Rule rule, float[] into) {
    int count = count();
    if (count == 0) {
      System.arraycopy(own, 0, into, 0, size);
      return;
    }
    float[][] rows = new float[count][BLOCK];
    float[] result = new float[BLOCK];
    for (int from = 0; from < size; from += BLOCK) {
      int length = Math.min(BLOCK, size - from);
      for (int row = 0; row < count; row++) {
        read(row, from, length, rows[row]);
        putNumbersFirst(rows[row], length);
      }
      for (int pass = 0; pass < count; pass++) {
        for (int row = pass & 1; row + 1 < count; row += 2) {
          order(rows[row], rows[row + 1], length);
        }
      }
      rule.combine(rows, length, result);
      for (int i = 0; i < length; i++) {
        into[from + i] = Float.isFinite(result[i]) ? result[i] : own[from + i];
      }
    }
  }

  private static void putNumbersFirst(float[] row, int length) {
    for (int i = 0; i < length; i++) {
      row[i] = Float.isNaN(row[i]) ? Float.POSITIVE_INFINITY : row[i];
    }
  }

  private static void order(float[] lower, float[] higher, int length) {
    for (int i = 0; i < length; i++) {
      float a = lower[i];
      float b = higher[i];
      lower[i] = Math.min(a, b);
      higher[i] = Math.max(a, b);
    }
  }

  /** The Euclidean distance of each candidate from a point; infinite where it is no number. */
  public double[] distances(float[] point) {
    double[] distances = new double[count()];
    float[] block = new float[BLOCK];
    for (int candidate = 0; candidate < distances.length; candidate++) {
      double squares = 0;
      for (int from = 0; from < size; from += BLOCK) {
        int length = Math.min(BLOCK, size - from);
        read(candidate, from, length, block);
        for (int i = 0; i < length; i++) {
          double difference = (double) block[i] - point[from + i];
          squares += difference * difference;
        }
      }
      distances[candidate] = Double.isNaN(squares) ? Double.POSITIVE_INFINITY : Math.sqrt(squares);
    }
    return distances;
  }

  /**
   * Writes {@code start + Σ factor · (candidate − start)}; candidates with factor zero are not
   * looked at. {@code into} may be {@code start}.
   */
  public void move(float[] start, double[] factors, float[] into) {
    float[] sum = new float[BLOCK];
    float[] block = new float[BLOCK];
    for (int from = 0; from < size; from += BLOCK) {
      int length = Math.min(BLOCK, size - from);
      System.arraycopy(start, from, sum, 0, length);
      for (int candidate = 0; candidate < factors.length; candidate++) {
        if (factors[candidate] != 0) {
          read(candidate, from, length, block);
          float factor = (float) factors[candidate];
          for (int i = 0; i < length; i++) {
            sum[i] += factor * (block[i] - start[from + i]);
          }
        }
      }
      System.arraycopy(sum, 0, into, from, length);
    }
  }

  /** The weight of the {@code count} heaviest together. */
  public double heaviest(int count) {
    double[] weights = IntStream.range(0, count()).mapToDouble(this::weight).sorted().toArray();
    double sum = 0;
    for (int i = 0; i < Math.min(count, weights.length); i++) {
      sum += weights[weights.length - 1 - i];
    }
    return sum;
  }

  /**
   * The weighted sum of the nearest ones' squared distances; they weigh {@code total} at most, and
   * whoever is no number is not among them.
   */
  public double squaresOfNearest(double[] distances, double total) {
    Integer[] nearestFirst = IntStream.range(0, distances.length).boxed().toArray(Integer[]::new);
    Arrays.sort(nearestFirst, Comparator.comparingDouble(i -> distances[i]));
    double weight = 0;
    double sum = 0;
    for (int candidate : nearestFirst) {
      weight += weight(candidate);
      if (weight > total + ROUNDING || Double.isInfinite(distances[candidate])) {
        break;
      }
      sum += weight(candidate) * distances[candidate] * distances[candidate];
    }
    return sum;
  }
}

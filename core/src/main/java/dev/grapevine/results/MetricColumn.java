package dev.grapevine.results;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * All values of one metric in a run, by round and node. Where a round was run twice, because the
 * run was resumed, the later value stands.
 */
public final class MetricColumn {

  private final int[] rounds;
  private final int[] starts;
  private final int[] nodes;
  private final double[] values;
  private final double[] times;

  private MetricColumn(int[] rounds, int[] starts, int[] nodes, double[] values, double[] times) {
    this.rounds = rounds;
    this.starts = starts;
    this.nodes = nodes;
    this.values = values;
    this.times = times;
  }

  /** In how many different rounds it was recorded. */
  public int rounds() {
    return rounds.length;
  }

  /** The number of the i-th of these rounds. */
  public int round(int index) {
    return rounds[index];
  }

  /** The index of the last recorded round that is not after {@code round}, or -1. */
  public int indexUpTo(int round) {
    int index = Arrays.binarySearch(rounds, round);
    return index >= 0 ? index : -index - 2;
  }

  /** The same without what comes after {@code round}. */
  MetricColumn upTo(int round) {
    int kept = indexUpTo(round) + 1;
    return kept == rounds.length
        ? this
        : new MetricColumn(
            Arrays.copyOf(rounds, kept), Arrays.copyOf(starts, kept + 1), nodes, values, times);
  }

  /** Which nodes recorded it in the i-th round, in rising order. */
  public int[] nodes(int index) {
    return Arrays.copyOfRange(nodes, starts[index], starts[index + 1]);
  }

  /** The values of the i-th round, in the order of {@link #nodes}. */
  public double[] values(int index) {
    return Arrays.copyOfRange(values, starts[index], starts[index + 1]);
  }

  /** When the i-th round was recorded, mean over the nodes, in seconds since the run began. */
  public double time(int index) {
    double sum = 0;
    for (int i = starts[index]; i < starts[index + 1]; i++) {
      sum += times[i];
    }
    return sum / (starts[index + 1] - starts[index]);
  }

  /** When a node recorded the i-th round. */
  public double[] times(int index) {
    return Arrays.copyOfRange(times, starts[index], starts[index + 1]);
  }

  /** Mean and deviation over the nodes in the i-th round. */
  public Spread spread(int index) {
    return Spread.of(values(index));
  }

  /** One node's value in the i-th round. */
  public OptionalDouble value(int index, int node) {
    int at = Arrays.binarySearch(nodes, starts[index], starts[index + 1], node);
    return at < 0 ? OptionalDouble.empty() : OptionalDouble.of(values[at]);
  }

  /** How many values there are in all. */
  public int size() {
    return starts[rounds.length];
  }

  /** Gathers rows in any order. */
  static final class Builder {

    private int[] nodes = new int[1024];
    private int[] rounds = new int[1024];
    private double[] values = new double[1024];
    private double[] times = new double[1024];
    private int count;

    void add(int node, int round, double value, double time) {
      if (count == nodes.length) {
        int larger = count + (count >> 1);
        nodes = Arrays.copyOf(nodes, larger);
        rounds = Arrays.copyOf(rounds, larger);
        values = Arrays.copyOf(values, larger);
        times = Arrays.copyOf(times, larger);
      }
      nodes[count] = node;
      rounds[count] = round;
      values[count] = value;
      times[count] = time;
      count++;
    }

    MetricColumn build() {
      return isInOrder() ? asItIs() : sorted();
    }

    /** Whether rows come by rising round and, within it, by rising node. */
    private boolean isInOrder() {
      for (int i = 1; i < count; i++) {
        if (rounds[i] < rounds[i - 1] || (rounds[i] == rounds[i - 1] && nodes[i] <= nodes[i - 1])) {
          return false;
        }
      }
      return true;
    }

    private MetricColumn asItIs() {
      int[] starts = firstRows().toArray();
      int[] distinct = Arrays.stream(starts).map(row -> rounds[row]).toArray();
      starts = Arrays.copyOf(starts, starts.length + 1);
      starts[distinct.length] = count;
      return new MetricColumn(
          distinct,
          starts,
          Arrays.copyOf(nodes, count),
          Arrays.copyOf(values, count),
          Arrays.copyOf(times, count));
    }

    /** The rows whose round is another than that of the row before. */
    private IntStream firstRows() {
      return IntStream.range(0, count).filter(row -> row == 0 || rounds[row] != rounds[row - 1]);
    }

    private MetricColumn sorted() {
      int[] distinct = firstRows().map(row -> rounds[row]).sorted().distinct().toArray();
      int[] ends = new int[distinct.length + 1];
      for (int i = 0; i < count; i++) {
        ends[Arrays.binarySearch(distinct, rounds[i]) + 1]++;
      }
      Arrays.parallelPrefix(ends, Integer::sum);
      // (node, row) pairs, round by round; rows keep their order within a node.
      long[] keys = new long[count];
      int[] next = Arrays.copyOf(ends, distinct.length);
      for (int row = 0; row < count; row++) {
        int index = Arrays.binarySearch(distinct, rounds[row]);
        keys[next[index]++] = (long) nodes[row] << 32 | row;
      }
      int[] starts = new int[distinct.length + 1];
      int[] keptNodes = new int[count];
      double[] keptValues = new double[count];
      double[] keptTimes = new double[count];
      int kept = 0;
      for (int index = 0; index < distinct.length; index++) {
        starts[index] = kept;
        Arrays.sort(keys, ends[index], ends[index + 1]);
        for (int i = ends[index]; i < ends[index + 1]; i++) {
          int node = (int) (keys[i] >> 32);
          int row = (int) keys[i];
          if (kept > starts[index] && keptNodes[kept - 1] == node) {
            kept--;
          }
          keptNodes[kept] = node;
          keptValues[kept] = values[row];
          keptTimes[kept] = times[row];
          kept++;
        }
      }
      starts[distinct.length] = kept;
      return new MetricColumn(
          distinct,
          starts,
          kept == count ? keptNodes : Arrays.copyOf(keptNodes, kept),
          kept == count ? keptValues : Arrays.copyOf(keptValues, kept),
          kept == count ? keptTimes : Arrays.copyOf(keptTimes, kept));
    }
  }
}

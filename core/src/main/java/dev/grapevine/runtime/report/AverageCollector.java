package dev.grapevine.runtime.report;

import dev.grapevine.learning.Learner;
import dev.grapevine.runtime.compute.ComputePool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Sums up the models of a round as the nodes pass it, so that no node waits for another and no
 * model is kept. Sums are in fixed point: unlike floating point, they come out the same in whatever
 * order the nodes arrive. Costs 8 bytes per parameter for each round that is not complete.
 */
public final class AverageCollector {

  /** Resolution of the sums: 2^-36 leaves room for 1024 models of values up to 2^17. */
  private static final double SCALE = 0x1p36;

  /** What the values of one coordinate may add up to before the sum would wrap. */
  private static final double LARGEST_SUM = 0x1p63 / SCALE;

  private final int nodes;
  private final Observer observer;
  private final ComputePool pool;
  private final TreeMap<Integer, Sum> pending = new TreeMap<>();
  private final int[] lastPassed;
  private final Object oneAtATime = new Object();
  private volatile @Nullable RuntimeException failure;

  public AverageCollector(int nodes, Observer observer, ComputePool pool) {
    this.nodes = nodes;
    this.observer = observer;
    this.pool = pool;
    lastPassed = new int[nodes];
    Arrays.fill(lastPassed, -1);
  }

  private static final class Sum {
    final BitSet outstanding = new BitSet();
    final double[] squares;
    long[] total = {};
    long[] statistics = {};
    int count;
    boolean finite = true;

    Sum(int nodes) {
      squares = new double[nodes];
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

    private float[] mean(long[] sums) {
      float[] mean = new float[sums.length];
      for (int i = 0; i < mean.length; i++) {
        mean[i] = finite ? (float) (sums[i] / SCALE / count) : Float.NaN;
      }
      return mean;
    }

    AverageModel average(int round) {
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
  }

  /** Adds a node's model; on a compute thread. */
  public void add(int node, int round, Learner learner) {
    Sum sum;
    synchronized (this) {
      if (lastPassed[node] >= round) {
        return;
      }
      sum = pending.computeIfAbsent(round, this::begin);
    }
    sum.add(node, learner);
  }

  private Sum begin(int round) {
    Sum sum = new Sum(nodes);
    for (int node = 0; node < nodes; node++) {
      sum.outstanding.set(node, lastPassed[node] < round && observer.averageDue(node, round));
    }
    return sum;
  }

  /** A node has passed {@code round} and so all before it. */
  public void passed(int node, int round, long now) {
    settle(node, round, now);
  }

  /** A node will pass no further round. */
  public void ended(int node, long now) {
    settle(node, Integer.MAX_VALUE, now);
  }

  private void settle(int node, int round, long now) {
    List<Runnable> complete = new ArrayList<>(0);
    synchronized (this) {
      lastPassed[node] = Math.max(lastPassed[node], round);
      Iterator<Map.Entry<Integer, Sum>> entries =
          pending.headMap(round, true).entrySet().iterator();
      while (entries.hasNext()) {
        Map.Entry<Integer, Sum> entry = entries.next();
        Sum sum = entry.getValue();
        sum.outstanding.clear(node);
        if (sum.outstanding.isEmpty()) {
          int finished = entry.getKey();
          complete.add(() -> evaluate(finished, sum, now));
          entries.remove();
        }
      }
    }
    complete.forEach(work -> pool.submit(work, Long.MIN_VALUE));
  }

  private void evaluate(int round, Sum sum, long now) {
    if (sum.count == 0) {
      return;
    }
    synchronized (oneAtATime) {
      try {
        List<Metric> metrics = observer.evaluateAverage(sum.average(round));
        for (Metric metric : metrics) {
          observer.record(
              Observer.AVERAGE, round, metric.name(), metric.value(), Duration.ofNanos(now));
        }
      } catch (CancellationException stopped) {
        // The run ends early; this figure is not wanted any more.
      } catch (RuntimeException thrown) {
        failure = thrown;
      }
    }
  }

  /** What the evaluation of an average threw, if it did. */
  public @Nullable RuntimeException failure() {
    return failure;
  }
}

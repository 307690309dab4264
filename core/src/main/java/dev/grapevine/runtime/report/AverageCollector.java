package dev.grapevine.runtime.report;

import dev.grapevine.learning.Learner;
import dev.grapevine.runtime.compute.ComputePool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Sums up the models of a round as the nodes pass it, so that no node waits for another and no
 * model is kept. Costs 8 bytes per parameter for each round that is not complete.
 */
public final class AverageCollector {

  /** Takes the sums of rounds that all nodes of this process have passed. */
  public interface Taker {

    /**
     * Called on the thread of the node that was last; must not take long.
     *
     * @param now in ns on the run's clock
     */
    void complete(ModelSum sum, long now);
  }

  private final int nodes;
  private final int[] here;
  private final Observer observer;
  private final Taker taker;
  private final TreeMap<Integer, Entry> pending = new TreeMap<>();
  private final int[] lastPassed;

  private record Entry(ModelSum sum, BitSet outstanding) {}

  /** Collects for all nodes and has the averages evaluated on a compute thread. */
  public AverageCollector(int nodes, Observer observer, ComputePool pool) {
    this(nodes, IntStream.range(0, nodes).toArray(), observer, evaluating(observer, pool));
  }

  /**
   * @param nodes how many nodes there are in the whole run
   * @param here the numbers of those whose models come to this collector
   */
  public AverageCollector(int nodes, int[] here, Observer observer, Taker taker) {
    this.nodes = nodes;
    this.here = here.clone();
    this.observer = observer;
    this.taker = taker;
    lastPassed = new int[nodes];
    Arrays.fill(lastPassed, -1);
  }

  private static Taker evaluating(Observer observer, ComputePool pool) {
    return evaluating(new AverageEvaluation(observer), pool);
  }

  /** Has complete averages evaluated on a compute thread. */
  public static Taker evaluating(AverageEvaluation evaluation, ComputePool pool) {
    return (sum, now) -> {
      evaluation.expect(sum.round());
      pool.submit(() -> evaluation.evaluate(sum, now), Long.MIN_VALUE);
    };
  }

  /** Adds a node's model; on a compute thread. */
  public void add(int node, int round, Learner learner) {
    Entry entry;
    synchronized (this) {
      if (lastPassed[node] >= round) {
        return;
      }
      entry = pending.computeIfAbsent(round, this::begin);
    }
    entry.sum().add(node, learner);
  }

  private Entry begin(int round) {
    BitSet outstanding = new BitSet();
    for (int node : here) {
      outstanding.set(node, lastPassed[node] < round && observer.averageDue(node, round));
    }
    return new Entry(new ModelSum(round, nodes), outstanding);
  }

  /** A node has passed {@code round} and so all before it. */
  public void passed(int node, int round, long now) {
    settle(node, round, now);
  }

  /** A node that had ended passes rounds again; which ones comes next, by {@link #passed}. */
  public synchronized void isBack(int node) {
    lastPassed[node] = -1;
  }

  /** A node will pass no further round. */
  public void ended(int node, long now) {
    settle(node, Integer.MAX_VALUE, now);
  }

  private void settle(int node, int round, long now) {
    List<ModelSum> complete = new ArrayList<>(0);
    synchronized (this) {
      lastPassed[node] = Math.max(lastPassed[node], round);
      Iterator<Map.Entry<Integer, Entry>> entries =
          pending.headMap(round, true).entrySet().iterator();
      while (entries.hasNext()) {
        Entry entry = entries.next().getValue();
        entry.outstanding().clear(node);
        if (entry.outstanding().isEmpty()) {
          complete.add(entry.sum());
          entries.remove();
        }
      }
    }
    complete.forEach(sum -> taker.complete(sum, now));
  }
}

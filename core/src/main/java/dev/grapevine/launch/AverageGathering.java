package dev.grapevine.launch;

import dev.grapevine.runtime.report.AverageEvaluation;
import dev.grapevine.runtime.report.ModelSum;
import dev.grapevine.runtime.report.Observer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Adds up the sums of models that workers hand in, and has the average of a round evaluated once
 * all nodes that count in it have passed it or have ended. Used by one thread; evaluates on
 * another.
 */
final class AverageGathering implements AutoCloseable {

  private final int nodes;
  private final int[] workerOf;
  private final Observer observer;
  private final AverageEvaluation evaluation;
  private final TreeMap<Integer, Round> rounds = new TreeMap<>();
  private final BitSet ended = new BitSet();

  /** The latest round that was complete. */
  private int newest = -1;

  /** The newest round of which a worker has told; one who comes back tells of some again. */
  private final Map<Integer, Integer> told = new HashMap<>();

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("average").factory());

  private static final class Round {
    private final ModelSum sum;
    private final BitSet outstanding = new BitSet();
    private long now;

    Round(ModelSum sum) {
      this.sum = sum;
    }
  }

  AverageGathering(int[] workerOf, Observer observer, AverageEvaluation evaluation) {
    this.nodes = workerOf.length;
    this.workerOf = workerOf;
    this.observer = observer;
    this.evaluation = evaluation;
  }

  /** A worker's nodes have all passed a round, and this is the sum of their models. */
  void add(int worker, ModelSum sum, long now) {
    if (sum.round() <= told.getOrDefault(worker, -1)) {
      return;
    }
    told.put(worker, sum.round());
    if (sum.round() <= newest && !rounds.containsKey(sum.round())) {
      // Its average was complete without these nodes, who were not there when it was begun.
      return;
    }
    Round round = rounds.computeIfAbsent(sum.round(), this::begin);
    round.sum.add(sum);
    round.now = Math.max(round.now, now);
    for (int node = 0; node < nodes; node++) {
      if (workerOf[node] == worker) {
        round.outstanding.clear(node);
      }
    }
    evaluateComplete();
  }

  private Round begin(int number) {
    Round round = new Round(new ModelSum(number, nodes));
    for (int node = 0; node < nodes; node++) {
      round.outstanding.set(node, !ended.get(node) && observer.averageDue(node, number));
    }
    return round;
  }

  /** A node will pass no further round. */
  void ended(int node) {
    ended.set(node);
    rounds.values().forEach(round -> round.outstanding.clear(node));
    evaluateComplete();
  }

  /** A node that was gone passes rounds again. */
  void isBack(int node) {
    ended.clear(node);
  }

  private void evaluateComplete() {
    Iterator<Round> each = rounds.values().iterator();
    while (each.hasNext()) {
      Round round = each.next();
      if (round.outstanding.isEmpty()) {
        each.remove();
        newest = Math.max(newest, round.sum.round());
        thread.execute(() -> evaluation.evaluate(round.sum, round.now));
      }
    }
  }

  /** Does something once all averages that are complete now have been evaluated. */
  void afterwards(Runnable work) {
    thread.execute(work);
  }

  /** Waits until all complete averages have been evaluated. */
  @Override
  public void close() {
    thread.close();
  }
}

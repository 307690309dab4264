package dev.grapevine.runtime.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Has averages of models evaluated, one at a time, and tells what came out. */
public final class AverageEvaluation {

  private final Observer observer;
  private final Object oneAtATime = new Object();
  private final TreeSet<Integer> unrecorded = new TreeSet<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private volatile @Nullable RuntimeException failure;

  private record Waiting(int round, Runnable then) {}

  public AverageEvaluation(Observer observer) {
    this.observer = observer;
  }

  /** The average of a round is going to be evaluated. */
  synchronized void expect(int round) {
    unrecorded.add(round);
  }

  /**
   * Runs {@code then} once nothing is under way any more that records averages of {@code round} or
   * before, on the thread that recorded the last of them.
   */
  public void whenRecorded(int round, Runnable then) {
    synchronized (this) {
      if (!hasRecorded(round)) {
        waiting.add(new Waiting(round, then));
        return;
      }
    }
    then.run();
  }

  private boolean hasRecorded(int round) {
    return unrecorded.isEmpty() || unrecorded.first() > round;
  }

  /**
   * Evaluates the average of a round.
   *
   * @param now when the round was complete, in ns on the run's clock
   */
  public void evaluate(ModelSum sum, long now) {
    try {
      record(sum, now);
    } finally {
      recorded(sum.round()).forEach(Runnable::run);
    }
  }

  /** Who has waited for this, in the order in which they came. */
  private synchronized List<Runnable> recorded(int round) {
    unrecorded.remove(round);
    List<Runnable> told = new ArrayList<>();
    waiting.removeIf(each -> hasRecorded(each.round()) && told.add(each.then()));
    return told;
  }

  private void record(ModelSum sum, long now) {
    if (sum.count() == 0) {
      return;
    }
    synchronized (oneAtATime) {
      try {
        for (Metric metric : observer.evaluateAverage(sum.average())) {
          observer.record(
              Observer.AVERAGE, sum.round(), metric.name(), metric.value(), Duration.ofNanos(now));
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

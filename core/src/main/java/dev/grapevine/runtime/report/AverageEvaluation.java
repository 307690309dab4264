package dev.grapevine.runtime.report;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Has averages of models evaluated, one at a time, and tells what came out. */
public final class AverageEvaluation {

  private final Observer observer;
  private final Object oneAtATime = new Object();
  private volatile @Nullable RuntimeException failure;

  public AverageEvaluation(Observer observer) {
    this.observer = observer;
  }

  /**
   * Evaluates the average of a round.
   *
   * @param now when the round was complete, in ns on the run's clock
   */
  public void evaluate(ModelSum sum, long now) {
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

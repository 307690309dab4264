package dev.grapevine.launch;

import dev.grapevine.learning.Evaluator;
import dev.grapevine.learning.ModelLearner;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a node's round of training and the evaluation of a sample take when all threads are at
 * work. Measured with learners of its own, so that those of the run stay as they are.
 *
 * @param training seconds of wall time for one node's round, shared by all threads
 * @param evaluating seconds of wall time for one sample, shared likewise
 */
record MeasuredStep(double training, double evaluating) {

  private static final System.Logger LOG = System.getLogger(MeasuredStep.class.getName());

  private static final MeasuredStep UNKNOWN = new MeasuredStep(Double.NaN, Double.NaN);

  /** Processor time that is enough for the compiler to have done the most of its work. */
  private static final double WARM_SECONDS = 1.5;

  /** Nobody wants to wait longer, however busy the machine is with other things. */
  private static final double LONGEST_SECONDS = 6;

  /** A round may be a whole pass over the data: some of its steps tell what all of them take. */
  private static final int STEPS = 8;

  /** As many as are evaluated at a time. */
  private static final int SAMPLES = 32;

  Duration training(Forecast.Work work) {
    return seconds(work.rounds() * training);
  }

  Duration evaluating(Forecast.Work work) {
    return seconds(work.evaluations() * work.samples() * evaluating);
  }

  Duration time(Forecast.Work work) {
    return training(work).plus(evaluating(work));
  }

  /** Whether every thread has come to its end undisturbed. */
  boolean isKnown() {
    return !equals(UNKNOWN);
  }

  /**
   * @param warm whether to go on until the figures have settled, rather than take the first
   */
  static MeasuredStep of(Assembly assembly, int threads, boolean warm) {
    Evaluator evaluator = assembly.evaluatorOf(SAMPLES);
    List<Measurement> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      // Threads of their own: the compute memory they make goes with them.
      all.add(new Measurement(assembly.spareLearner(), evaluator, warm));
    }
    all.forEach(Measurement::start);
    double training = 0;
    double evaluating = 0;
    boolean known = true;
    for (Measurement each : all) {
      known &= each.await();
      training += each.training / threads;
      evaluating += each.evaluating / threads;
    }
    return known
        ? new MeasuredStep(training / threads, evaluating / threads / evaluator.size())
        : UNKNOWN;
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos((long) Math.min(seconds * 1e9, Long.MAX_VALUE));
  }

  /** One thread's part. */
  private static final class Measurement {

    private final ModelLearner learner;
    private final Evaluator evaluator;
    private final float[] gradient;
    private final double limit;
    private final Thread thread =
        Thread.ofPlatform().daemon().name("forecast").unstarted(this::measure);
    private boolean succeeded;
    private double training = Double.POSITIVE_INFINITY;
    private double evaluating = Double.POSITIVE_INFINITY;

    Measurement(ModelLearner learner, Evaluator evaluator, boolean warm) {
      this.learner = learner;
      this.evaluator = evaluator;
      this.gradient = new float[learner.parameters().length];
      this.limit = warm ? WARM_SECONDS : 0;
    }

    void start() {
      thread.start();
    }

    /**
     * An interrupt ends the measurement early and is left for the run to see.
     *
     * @return whether it has come to its end
     */
    boolean await() {
      try {
        thread.join();
        return succeeded;
      } catch (InterruptedException e) {
        thread.interrupt();
        Thread.currentThread().interrupt();
        return false;
      }
    }

    private static double processorSeconds() {
      return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
    }

    /**
     * What cannot be trained, because its loss explodes, its code throws or the run was
     * interrupted, has no time of its own; why, the run will say.
     */
    private void measure() {
      try {
        repeat();
        succeeded = true;
      } catch (RuntimeException e) {
        LOG.log(Level.DEBUG, "nothing to tell by how long the run takes", e);
      }
    }

    private void repeat() {
      int inRound = learner.stepsPerRound();
      int steps = Math.min(inRound, STEPS);
      long start = System.nanoTime();
      do {
        long begun = System.nanoTime();
        train(steps);
        long trained = System.nanoTime();
        learner.evaluate(evaluator);
        long evaluated = System.nanoTime();
        // The best so far is what the compiled code takes; all others were disturbed or too early.
        training = Math.min(training, (trained - begun) / 1e9 * inRound / steps);
        evaluating = Math.min(evaluating, (evaluated - trained) / 1e9);
      } while (processorSeconds() < limit
          && (System.nanoTime() - start) / 1e9 < LONGEST_SECONDS
          && !Thread.currentThread().isInterrupted());
    }

    private void train(int steps) {
      for (int step = 0; step < steps; step++) {
        learner.gradient(gradient);
        learner.apply(gradient);
      }
    }
  }
}

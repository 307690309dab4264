package dev.grapevine.benchmarks.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Independent models trained on every core at once, or one of them alone. They stay for all slices,
 * as those of a run do: with new models in every slice two threads read up to a fifth slower.
 */
final class AllCores implements AutoCloseable {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Steps per second of all threads together.
   *
   * @param byClock by the wall clock, which other work on the machine slows
   * @param byProcessorTime by what each thread got of its core, which it does not
   */
  record Rates(double byClock, double byProcessorTime) {}

  private final List<Trainee> trainees = new ArrayList<>();
  private final ExecutorService pool;

  AllCores(Case subject, int threads) {
    for (int t = 0; t < threads; t++) {
      trainees.add(new Trainee(subject.model(), subject.batch()));
    }
    this.pool = Executors.newFixedThreadPool(threads);
  }

  Rates all(double seconds) throws Exception {
    return rates(trainees, seconds);
  }

  /** The mean over all models, one after the other. */
  Rates one(double seconds) throws Exception {
    double byClock = 0;
    double byProcessorTime = 0;
    for (Trainee trainee : trainees) {
      Rates alone = rates(List.of(trainee), seconds / trainees.size());
      byClock += alone.byClock() / trainees.size();
      byProcessorTime += alone.byProcessorTime() / trainees.size();
    }
    return new Rates(byClock, byProcessorTime);
  }

  private Rates rates(List<Trainee> together, double seconds) throws Exception {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    List<Future<Rates>> running = new ArrayList<>();
    for (Trainee trainee : together) {
      running.add(pool.submit(() -> until(trainee, end)));
    }
    double byClock = 0;
    double byProcessorTime = 0;
    for (Future<Rates> future : running) {
      byClock += future.get().byClock();
      byProcessorTime += future.get().byProcessorTime();
    }
    return new Rates(byClock, byProcessorTime);
  }

  private static Rates until(Trainee trainee, long end) {
    long start = System.nanoTime();
    long started = THREADS.getCurrentThreadCpuTime();
    long steps = 0;
    do {
      trainee.run(Contender.Work.TRAIN);
      steps++;
    } while (System.nanoTime() - end < 0);
    return new Rates(
        steps / ((System.nanoTime() - start) * 1e-9),
        steps / ((THREADS.getCurrentThreadCpuTime() - started) * 1e-9));
  }

  @Override
  public void close() {
    pool.close();
  }
}

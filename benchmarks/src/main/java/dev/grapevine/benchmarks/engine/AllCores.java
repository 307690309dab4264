package dev.grapevine.benchmarks.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Independent models trained on every core at once. */
final class AllCores {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Steps per second of all threads together, slice by slice.
   *
   * @param byClock by the wall clock, which other work on the machine slows
   * @param byProcessorTime by what each thread got of its core, which it does not
   */
  record Rates(double[] byClock, double[] byProcessorTime) {}

  private AllCores() {}

  static Rates stepsPerSecond(Case subject, int threads, int slices, double seconds)
      throws Exception {
    List<Trainee> trainees = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      trainees.add(new Trainee(subject.model(), subject.batch()));
    }
    Rates rates = new Rates(new double[slices], new double[slices]);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int slice = 0; slice < slices; slice++) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        List<Future<double[]>> running = new ArrayList<>();
        for (Trainee trainee : trainees) {
          running.add(pool.submit(() -> until(trainee, end)));
        }
        for (Future<double[]> future : running) {
          rates.byClock[slice] += future.get()[0];
          rates.byProcessorTime[slice] += future.get()[1];
        }
      }
    }
    return rates;
  }

  private static double[] until(Trainee trainee, long end) {
    long start = System.nanoTime();
    long started = THREADS.getCurrentThreadCpuTime();
    long steps = 0;
    do {
      trainee.run(Contender.Work.TRAIN);
      steps++;
    } while (System.nanoTime() - end < 0);
    return new double[] {
      steps / ((System.nanoTime() - start) * 1e-9),
      steps / ((THREADS.getCurrentThreadCpuTime() - started) * 1e-9)
    };
  }
}

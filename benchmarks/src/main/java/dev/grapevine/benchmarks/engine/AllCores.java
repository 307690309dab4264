package dev.grapevine.benchmarks.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Independent models trained on every core at once, by the wall clock. */
final class AllCores {

  private AllCores() {}

  static double[] stepsPerSecond(Case subject, int threads, int slices, double seconds)
      throws Exception {
    List<Trainee> trainees = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      trainees.add(new Trainee(subject.model(), subject.batch()));
    }
    double[] rates = new double[slices];
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int slice = 0; slice < slices; slice++) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        List<Future<Double>> running = new ArrayList<>();
        for (Trainee trainee : trainees) {
          running.add(pool.submit(() -> until(trainee, end)));
        }
        for (Future<Double> future : running) {
          rates[slice] += future.get();
        }
      }
    }
    return rates;
  }

  private static double until(Trainee trainee, long end) {
    long start = System.nanoTime();
    long steps = 0;
    do {
      trainee.run(Contender.Work.TRAIN);
      steps++;
    } while (System.nanoTime() - end < 0);
    return steps / ((System.nanoTime() - start) * 1e-9);
  }
}

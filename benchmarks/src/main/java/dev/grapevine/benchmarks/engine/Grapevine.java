package dev.grapevine.benchmarks.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/** Our own engine on the calling thread. */
final class Grapevine implements Contender {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Map<Case, Trainee> trainees = new HashMap<>();

  Trainee trainee(Case subject) {
    return trainees.computeIfAbsent(subject, c -> new Trainee(c.model(), c.batch()));
  }

  @Override
  public double measure(Case subject, Work work, double seconds) {
    Trainee trainee = trainee(subject);
    long start = THREADS.getCurrentThreadCpuTime();
    long steps = 0;
    long elapsed;
    do {
      trainee.run(work);
      steps++;
      elapsed = THREADS.getCurrentThreadCpuTime() - start;
    } while (elapsed < seconds * 1e9);
    return steps / (elapsed * 1e-9);
  }
}

package dev.grapevine.benchmarks.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/** Our own engine on the calling thread. */
final class Grapevine implements Contender {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final int WARM_UPS = 8;

  private final Map<Case, Trainee> trainees = new HashMap<>();

  Trainee trainee(Case subject) {
    return trainees.computeIfAbsent(subject, c -> new Trainee(c.model(), c.batch()));
  }

  /**
   * Until it gets no faster: on a busy machine the compiler waits for its turn while the thread,
   * whose time is counted, goes on.
   */
  void warmUp(Case subject, Work work, double seconds) {
    double before = 0;
    double rate = measure(subject, work, seconds);
    for (int i = 0; i < WARM_UPS && rate > 1.03 * before; i++) {
      before = rate;
      rate = measure(subject, work, seconds);
    }
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

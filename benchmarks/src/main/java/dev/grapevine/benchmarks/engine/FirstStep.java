package dev.grapevine.benchmarks.engine;

import java.lang.management.ManagementFactory;

/**
 * Prints the milliseconds from the start of the JVM to the end of its first training step, by the
 * clock and by the processor time of the main thread, which other work on the machine blurs less.
 */
final class FirstStep {

  private FirstStep() {}

  public static void main(String[] arguments) {
    new Trainee("gn-lenet", 8).run(Contender.Work.TRAIN);
    long byThread = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1_000_000;
    long byClock = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
    System.out.println(byClock + " " + byThread);
  }
}

package dev.grapevine.benchmarks.engine;

import java.lang.management.ManagementFactory;

/** Prints the milliseconds from the start of the JVM to the end of its first training step. */
final class FirstStep {

  private FirstStep() {}

  public static void main(String[] arguments) {
    new Trainee("gn-lenet", 8).run(Contender.Work.TRAIN);
    System.out.println(
        System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime());
  }
}

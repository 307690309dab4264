package dev.grapevine.runtime;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** What a piece of work took, begun and ended on the same compute thread. */
final class Stopwatch {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final long start = System.nanoTime();
  private final long processorStart = processor();

  /** Time that has gone by. */
  long nanos() {
    return System.nanoTime() - start;
  }

  /** Time in which the thread had a processor; 0 where nobody counts it, as of a virtual thread. */
  long processorNanos() {
    return processorStart < 0 ? 0 : Math.max(0, processor() - processorStart);
  }

  private static long processor() {
    return THREADS.isCurrentThreadCpuTimeSupported() && !Thread.currentThread().isVirtual()
        ? THREADS.getCurrentThreadCpuTime()
        : -1;
  }
}

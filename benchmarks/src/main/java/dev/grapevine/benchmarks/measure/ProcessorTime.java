package dev.grapevine.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/** Seconds on a processor: wall time says little on a busy machine. */
public final class ProcessorTime {

  private ProcessorTime() {}

  /** Of all threads of this process, those of the compiler and the collector included. */
  public static double ofProcess() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return system.getProcessCpuTime() / 1e9;
  }

  /** Of the platform threads that are alive and whose names begin so. */
  public static double ofThreads(String prefix) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    double seconds = 0;
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith(prefix)) {
        seconds += Math.max(0, threads.getThreadCpuTime(thread.getThreadId())) / 1e9;
      }
    }
    return seconds;
  }

  /** Of the calling thread. */
  public static double ofThread() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }
}

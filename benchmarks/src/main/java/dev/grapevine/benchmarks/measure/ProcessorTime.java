package dev.grapevine.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Seconds on a processor: wall time says little on a busy machine. */
public final class ProcessorTime {

  private ProcessorTime() {}

  /** Of all threads of this process, those of the compiler and the collector included. */
  public static double ofProcess() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return system.getProcessCpuTime() / 1e9;
  }

  /** Of the calling thread. */
  public static double ofThread() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }
}

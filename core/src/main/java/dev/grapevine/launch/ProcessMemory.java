package dev.grapevine.launch;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory this process has taken. */
final class ProcessMemory {

  private ProcessMemory() {}

  /** The largest resident size so far; where the system does not tell, the peak of the heap. */
  static long peakBytes() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmHWM:")) {
          return 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
    } catch (IOException notLinux) {
      // Fall through to what the virtual machine knows.
    }
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .map(MemoryPoolMXBean::getPeakUsage)
        .filter(usage -> usage != null)
        .mapToLong(usage -> usage.getUsed())
        .sum();
  }
}

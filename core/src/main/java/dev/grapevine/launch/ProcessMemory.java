package dev.grapevine.launch;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** How much memory this process has taken. */
final class ProcessMemory {

  private ProcessMemory() {}

  /** The largest resident size so far; where the system does not tell, the peak of the heap. */
  static long peakBytes() {
    return status("VmHWM:")
        .orElseGet(() ->
            ManagementFactory.getMemoryPoolMXBeans().stream()
                .map(MemoryPoolMXBean::getPeakUsage)
                .filter(usage -> usage != null)
                .mapToLong(usage -> usage.getUsed())
                .sum());
  }

  /** What is resident now; where the system does not tell, the heap in use. */
  static long residentBytes() {
    Runtime runtime = Runtime.getRuntime();
    return status("VmRSS:").orElseGet(() -> runtime.totalMemory() - runtime.freeMemory());
  }

  private static OptionalLong status(String key) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith(key)) {
          return OptionalLong.of(1024 * Long.parseLong(line.replaceAll("[^0-9]", "")));
        }
      }
    } catch (IOException notLinux) {
      // The virtual machine knows something too.
    }
    return OptionalLong.empty();
  }
}

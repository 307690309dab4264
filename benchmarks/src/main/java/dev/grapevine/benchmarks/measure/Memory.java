package dev.grapevine.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What this process holds; NaN where the system keeps no books under {@code /proc}. */
public final class Memory {

  private Memory() {}

  /** Megabytes (2^20 bytes) resident now. */
  public static double residentMegabytes() throws IOException {
    return status("VmRSS:");
  }

  /** The most megabytes (2^20 bytes) that ever were resident. */
  public static double peakMegabytes() throws IOException {
    return status("VmHWM:");
  }

  /** Bytes of the heap in use after a collection. */
  public static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Open files and sockets. */
  public static double descriptors() throws IOException {
    Path open = Path.of("/proc/self/fd");
    if (!Files.isDirectory(open)) {
      return Double.NaN;
    }
    try (Stream<Path> all = Files.list(open)) {
      return all.count();
    }
  }

  private static double status(String key) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return Double.NaN;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith(key)) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
      }
    }
    return Double.NaN;
  }
}

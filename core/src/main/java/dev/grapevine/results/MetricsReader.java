package dev.grapevine.results;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** All of {@code metrics.csv} as columns. A last line without its end is not there. */
final class MetricsReader {

  private final SequencedMap<String, MetricColumn.Builder> builders = new LinkedHashMap<>();
  private final MetricLines lines =
      new MetricLines(metric -> {
        MetricColumn.Builder builder = new MetricColumn.Builder();
        builders.put(metric, builder);
        return builder::add;
      });

  /** Reads the file; one that is not there is as good as an empty one. */
  static MetricsReader read(Path file) throws IOException {
    MetricsReader reader = new MetricsReader();
    if (Files.exists(file)) {
      try (InputStream in = Files.newInputStream(file)) {
        readLines(in, reader.lines);
      }
    }
    return reader;
  }

  /** Reads every line in order. */
  static void readLines(Path file, RunDirectory.Figures figures) throws IOException {
    MetricLines lines =
        new MetricLines(
            metric -> (node, round, value, time) -> figures.take(node, round, metric, value));
    if (Files.exists(file)) {
      try (InputStream in = Files.newInputStream(file)) {
        readLines(in, lines);
      }
    }
  }

  static MetricsReader ofNothing() {
    return new MetricsReader();
  }

  /** Lines that were passed over. */
  long skipped() {
    return lines.skipped();
  }

  SequencedMap<String, MetricColumn> columns() {
    SequencedMap<String, MetricColumn> columns = new LinkedHashMap<>();
    builders.forEach((metric, builder) -> columns.put(metric, builder.build()));
    return columns;
  }

  private static void readLines(InputStream in, MetricLines lines) throws IOException {
    byte[] bytes = new byte[1 << 20];
    int filled = 0;
    int read;
    while ((read = in.read(bytes, filled, bytes.length - filled)) > 0) {
      filled += read;
      int taken = lines.take(bytes, filled);
      System.arraycopy(bytes, taken, bytes, 0, filled - taken);
      filled -= taken;
      if (filled == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * bytes.length);
      }
    }
  }
}

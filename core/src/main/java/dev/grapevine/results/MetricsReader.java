package dev.grapevine.results;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code metrics.csv}, some ten million lines a second. A last line without its end is not
 * there; lines that make no sense are counted and passed over.
 */
final class MetricsReader {

  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };
  private static final long EXACT = 1L << 53;

  private record Named(byte[] name, MetricColumn.Builder column) {}

  private final List<Named> metrics = new ArrayList<>();
  private @Nullable Named latest;
  private byte[] bytes = new byte[1 << 20];
  private int at;
  private boolean wrong;
  private long skipped;

  /** Reads the file; one that is not there is as good as an empty one. */
  static MetricsReader read(Path file) throws IOException {
    MetricsReader reader = new MetricsReader();
    if (Files.exists(file)) {
      try (InputStream in = Files.newInputStream(file)) {
        reader.readLines(in);
      }
    }
    return reader;
  }

  /** Lines that were passed over. */
  long skipped() {
    return skipped;
  }

  SequencedMap<String, MetricColumn> columns() {
    SequencedMap<String, MetricColumn> columns = new LinkedHashMap<>();
    for (Named named : metrics) {
      columns.put(new String(named.name, StandardCharsets.US_ASCII), named.column.build());
    }
    return columns;
  }

  private void readLines(InputStream in) throws IOException {
    boolean header = true;
    int filled = 0;
    int read;
    while ((read = in.read(bytes, filled, bytes.length - filled)) > 0) {
      filled += read;
      int start = 0;
      for (int i = filled - read; i < filled; i++) {
        if (bytes[i] == '\n') {
          if (header) {
            header = false;
          } else {
            line(start, i);
          }
          start = i + 1;
        }
      }
      System.arraycopy(bytes, start, bytes, 0, filled - start);
      filled -= start;
      if (filled == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * bytes.length);
      }
    }
  }

  private void line(int start, int end) {
    at = start;
    wrong = false;
    int node = integer(end);
    int round = integer(end);
    int name = at;
    while (at < end && bytes[at] != ',') {
      at++;
    }
    int nameEnd = at++;
    double value = number(end);
    double time = number(end);
    if (wrong || nameEnd == name || at != end + 1 || node < Metrics.WHOLE_RUN || round < 0) {
      skipped++;
      return;
    }
    column(name, nameEnd).add(node, round, value, time);
  }

  private MetricColumn.Builder column(int from, int to) {
    Named known = latest;
    if (known == null || !Arrays.equals(known.name, 0, known.name.length, bytes, from, to)) {
      known = null;
      for (Named named : metrics) {
        if (Arrays.equals(named.name, 0, named.name.length, bytes, from, to)) {
          known = named;
          break;
        }
      }
      if (known == null) {
        known = new Named(Arrays.copyOfRange(bytes, from, to), new MetricColumn.Builder());
        metrics.add(known);
      }
      latest = known;
    }
    return known.column;
  }

  private int integer(int end) {
    boolean negative = at < end && bytes[at] == '-';
    at += negative ? 1 : 0;
    int first = at;
    long number = 0;
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9' && at - first < 10) {
      number = 10 * number + bytes[at++] - '0';
    }
    wrong |= at == first || at >= end || bytes[at] != ',' || number > Integer.MAX_VALUE;
    at++;
    return (int) (negative ? -number : number);
  }

  /**
   * A number up to the next comma or the end of the line. When its digits fit a double and the
   * power of ten is one that a double holds exactly, one division or multiplication is correctly
   * rounded; all others go the long way.
   */
  private double number(int end) {
    int first = at;
    boolean negative = at < end && bytes[at] == '-';
    at += negative ? 1 : 0;
    long digits = 0;
    int length = 0;
    int afterPoint = 0;
    boolean point = false;
    for (; at < end; at++) {
      byte b = bytes[at];
      if (b >= '0' && b <= '9' && length < 18) {
        digits = 10 * digits + b - '0';
        length++;
        afterPoint += point ? 1 : 0;
      } else if (b == '.' && !point) {
        point = true;
      } else {
        break;
      }
    }
    boolean simple = (at == end || bytes[at] == ',') && length > 0 && digits < EXACT;
    if (simple) {
      at++;
      double number = digits / POWERS_OF_TEN[afterPoint];
      return negative ? -number : number;
    }
    while (at < end && bytes[at] != ',') {
      at++;
    }
    String text = new String(bytes, first, at - first, StandardCharsets.US_ASCII);
    at++;
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      wrong = true;
      return Double.NaN;
    }
  }
}

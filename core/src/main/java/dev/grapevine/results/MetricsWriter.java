package dev.grapevine.results;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Appends to {@code metrics.csv}, from any thread. Lines are gathered and written together: a crash
 * loses at most {@value #BUFFER_BYTES} bytes, and nothing that was recorded a second before the
 * last record or before {@link #flush}.
 */
public final class MetricsWriter implements AutoCloseable {

  static final String HEADER = "node,round,metric,value,time\n";
  static final int BUFFER_BYTES = 32 * 1024;
  private static final int LONGEST_LINE = 512;
  private static final long NANOS_BETWEEN_WRITES = Duration.ofSeconds(1).toNanos();

  private final Path file;
  // Not a channel, here and where the file is opened: an interrupt, which ends a run early, would
  // close a channel.
  private final FileOutputStream out;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES + LONGEST_LINE);
  private final StringBuilder line = new StringBuilder();
  private long lastWrite = System.nanoTime();
  private boolean closed;

  private MetricsWriter(Path file, FileOutputStream out) {
    this.file = file;
    this.out = out;
  }

  /** Opens the file, after its last whole line if there is something in it already. */
  static MetricsWriter open(Path file) {
    try {
      long end = cutToWholeLines(file);
      MetricsWriter writer = new MetricsWriter(file, new FileOutputStream(file.toFile(), true));
      if (end == 0) {
        writer.buffer.put(HEADER.getBytes(StandardCharsets.US_ASCII));
        writer.flush();
      }
      return writer;
    } catch (IOException e) {
      throw WriteFailure.of(file, e);
    }
  }

  /** Takes off a line that was cut off; returns how much is left. */
  private static long cutToWholeLines(Path file) throws IOException {
    try (RandomAccessFile contents = new RandomAccessFile(file.toFile(), "rw")) {
      long end = endOfLastLine(contents);
      contents.setLength(end);
      return end;
    }
  }

  private static long endOfLastLine(RandomAccessFile contents) throws IOException {
    byte[] tail = new byte[8192];
    long end = contents.length();
    while (end > 0) {
      long start = Math.max(0, end - tail.length);
      contents.seek(start);
      contents.readFully(tail, 0, (int) (end - start));
      for (int i = (int) (end - start) - 1; i >= 0; i--) {
        if (tail[i] == '\n') {
          return start + i + 1;
        }
      }
      end = start;
    }
    return 0;
  }

  /**
   * Appends one figure.
   *
   * @param node whose figure it is, or {@link Metrics#WHOLE_RUN}
   * @param metric its name: letters, digits, and any of {@code _-.}
   * @param time since the run began, on the run's clock
   */
  public synchronized void record(int node, int round, String metric, double value, Duration time) {
    check(metric);
    line.setLength(0);
    line.append(node).append(',').append(round).append(',').append(metric).append(',');
    appendNumber(value);
    line.append(',');
    appendSeconds(time);
    line.append('\n');
    for (int i = 0; i < line.length(); i++) {
      buffer.put((byte) line.charAt(i));
    }
    if (buffer.position() >= BUFFER_BYTES || System.nanoTime() - lastWrite > NANOS_BETWEEN_WRITES) {
      flush();
    }
  }

  private static void check(String metric) {
    boolean fits = !metric.isEmpty() && metric.length() <= 200;
    for (int i = 0; fits && i < metric.length(); i++) {
      char c = metric.charAt(i);
      fits =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "_-.".indexOf(c) >= 0;
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "a metric's name is made of letters, digits and _-. only: metric=" + metric);
    }
  }

  private void appendNumber(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      line.append((long) value);
    } else {
      line.append(value);
    }
  }

  /** Microseconds are enough, and short. */
  private void appendSeconds(Duration time) {
    long micros = time.toNanos() / 1000;
    line.append(micros / 1_000_000).append('.');
    String fraction = Long.toString(1_000_000 + micros % 1_000_000);
    line.append(fraction, 1, 7);
  }

  /** Hands all lines so far to the operating system. */
  public synchronized void flush() {
    try {
      out.write(buffer.array(), 0, buffer.position());
    } catch (IOException e) {
      throw WriteFailure.of(file, e);
    } finally {
      buffer.clear();
    }
    lastWrite = System.nanoTime();
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (out) {
      flush();
      out.getFD().sync();
    } catch (IOException e) {
      throw WriteFailure.of(file, e);
    }
  }
}

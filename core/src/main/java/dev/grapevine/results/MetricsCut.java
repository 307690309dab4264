package dev.grapevine.results;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

/** The lines of {@code metrics.csv} up to a round: what a run knew when it was saved. */
public final class MetricsCut {

  private static final int CHUNK = 1 << 20;

  private MetricsCut() {}

  /**
   * Writes the lines up to and with {@code lastRound}. The target may be the file itself; it is
   * there as it was or as it should be, whenever the machine stops.
   */
  public static void copy(Path from, Path to, int lastRound) {
    Path partial = to.resolveSibling(to.getFileName() + ".partial");
    try {
      try (OutputStream out =
          new BufferedOutputStream(new FileOutputStream(partial.toFile()), CHUNK)) {
        out.write(MetricsWriter.HEADER.getBytes(StandardCharsets.US_ASCII));
        if (Files.exists(from)) {
          try (InputStream in = new BufferedInputStream(Files.newInputStream(from), CHUNK)) {
            copy(in, out, lastRound);
          }
        }
      }
      Files.move(partial, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw WriteFailure.of(to, e);
    }
  }

  private static void copy(InputStream in, OutputStream out, int lastRound) throws IOException {
    byte[] bytes = new byte[CHUNK];
    int filled = 0;
    boolean header = true;
    int read;
    while ((read = in.read(bytes, filled, bytes.length - filled)) > 0) {
      filled += read;
      int begin = 0;
      for (int i = filled - read; i < filled; i++) {
        if (bytes[i] == '\n') {
          if (!header && round(bytes, begin, i) <= lastRound) {
            out.write(bytes, begin, i + 1 - begin);
          }
          header = false;
          begin = i + 1;
        }
      }
      System.arraycopy(bytes, begin, bytes, 0, filled - begin);
      filled -= begin;
      if (filled == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * bytes.length);
      }
    }
  }

  /** The second field; a line without one is of no round. */
  private static int round(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != ',') {
      at++;
    }
    at++;
    boolean negative = at < to && bytes[at] == '-';
    at += negative ? 1 : 0;
    long round = 0;
    int digits = 0;
    while (at < to && bytes[at] >= '0' && bytes[at] <= '9' && digits < 10) {
      round = 10 * round + bytes[at] - '0';
      at++;
      digits++;
    }
    boolean makesSense = digits > 0 && at < to && bytes[at] == ',';
    return makesSense
        ? (int) Math.min(Integer.MAX_VALUE, negative ? -round : round)
        : Integer.MAX_VALUE;
  }
}

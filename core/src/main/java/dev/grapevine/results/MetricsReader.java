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

  /** What fits 64 bits; doubles are written with 17 digits or fewer, and zeros before them. */
  private static final int MOST_DIGITS = 19;

  private static final int LARGEST_EXPONENT = 999;

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

  static MetricsReader ofNothing() {
    return new MetricsReader();
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
      int end = endOfLastLine(filled, filled + read);
      filled += read;
      at = 0;
      if (header && end > 0) {
        skipLine();
        header = false;
      }
      while (at < end) {
        line();
      }
      System.arraycopy(bytes, end, bytes, 0, filled - end);
      filled -= end;
      if (filled == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * bytes.length);
      }
    }
  }

  /** Behind the last line that ends at or after {@code from}; 0 if none does. */
  private int endOfLastLine(int from, int to) {
    for (int i = to - 1; i >= from; i--) {
      if (bytes[i] == '\n') {
        return i + 1;
      }
    }
    return 0;
  }

  /** Reads one line; there is an end of line ahead at which everything stops. */
  private void line() {
    wrong = false;
    int node = integer();
    int round = integer();
    int name = at;
    while (bytes[at] != ',' && bytes[at] != '\n') {
      at++;
    }
    int nameEnd = at;
    endField(',');
    double value = number();
    endField(',');
    double time = number();
    if (wrong || nameEnd == name || bytes[at] != '\n' || node < Metrics.WHOLE_RUN || round < 0) {
      skipped++;
      skipLine();
      return;
    }
    at++;
    column(name, nameEnd).add(node, round, value, time);
  }

  private void skipLine() {
    while (bytes[at] != '\n') {
      at++;
    }
    at++;
  }

  private void endField(char expected) {
    if (bytes[at] == expected) {
      at++;
    } else {
      wrong = true;
    }
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

  private int integer() {
    // Fields in local variables: the loops that see every byte run three times as fast.
    byte[] text = bytes;
    boolean negative = text[at] == '-';
    int first = negative ? at + 1 : at;
    int i = first;
    long number = 0;
    for (int digit; (digit = text[i] - '0') >= 0 && digit <= 9 && i - first < 10; i++) {
      number = 10 * number + digit;
    }
    at = i;
    wrong |= i == first || number > Integer.MAX_VALUE;
    endField(',');
    return (int) (negative ? -number : number);
  }

  /** A number up to the next comma or the end of the line. */
  private double number() {
    byte[] text = bytes;
    int first = at;
    boolean negative = text[first] == '-';
    int firstDigit = negative ? first + 1 : first;
    long digits = 0;
    int point = -1;
    int i = firstDigit;
    for (byte b; (b = text[i]) >= '.'; i++) {
      int digit = b - '0';
      if (digit >= 0 && digit <= 9) {
        digits = 10 * digits + digit;
      } else if (b == '.' && point < 0) {
        point = i;
      } else {
        break;
      }
    }
    int length = i - firstDigit - (point < 0 ? 0 : 1);
    int power = point < 0 ? 0 : point + 1 - i;
    at = i;
    if (text[at] == 'E') {
      power += exponent();
    }
    if ((text[at] == ',' || text[at] == '\n')
        && length > 0
        && length <= MOST_DIGITS
        && power >= Decimals.LEAST_POWER
        && power <= Decimals.GREATEST_POWER) {
      double number = Decimals.nearest(digits, power);
      return negative ? -number : number;
    }
    return numberTheLongWay(first);
  }

  /** The exponent from an E on; too large a number for one that makes no sense. */
  private int exponent() {
    at++;
    boolean negative = bytes[at] == '-';
    at += negative ? 1 : 0;
    int first = at;
    int exponent = 0;
    for (int digit; (digit = bytes[at] - '0') >= 0 && digit <= 9; at++) {
      exponent = Math.min(LARGEST_EXPONENT, 10 * exponent + digit);
    }
    return at == first ? LARGEST_EXPONENT : negative ? -exponent : exponent;
  }

  private double numberTheLongWay(int first) {
    while (bytes[at] != ',' && bytes[at] != '\n') {
      at++;
    }
    try {
      return Double.parseDouble(new String(bytes, first, at - first, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      wrong = true;
      return Double.NaN;
    }
  }
}

package dev.grapevine.results;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lines of {@code metrics.csv}, some ten million a second. The first is the header; lines that
 * make no sense are counted and passed over. One reader for files that are whole and for those that
 * still grow: it is given bytes as they come, and takes the lines that have their end.
 */
public final class MetricLines {

  /** Takes the values of one metric, line by line. */
  public interface Values {
    void add(int node, int round, double value, double time);
  }

  /** What fits 64 bits; doubles are written with 17 digits or fewer, and zeros before them. */
  private static final int MOST_DIGITS = 19;

  private static final int LARGEST_EXPONENT = 999;

  private static final byte[] NOTHING = {};

  private record Named(byte[] name, Values values) {}

  private final Function<String, Values> byMetric;
  private final List<Named> metrics = new ArrayList<>();
  private @Nullable Named latest;
  private byte[] bytes = NOTHING;
  private int at;
  private boolean header = true;
  private boolean wrong;
  private long skipped;

  /**
   * @param byMetric who takes the values of a metric; asked once, when its first line comes
   */
  public MetricLines(Function<String, Values> byMetric) {
    this.byMetric = byMetric;
  }

  /** Lines that were passed over. */
  public long skipped() {
    return skipped;
  }

  /**
   * Takes the whole lines among the first {@code length} bytes.
   *
   * @return how many bytes these were; the next call begins with the byte behind them
   */
  public int take(byte[] next, int length) {
    int end = length;
    while (end > 0 && next[end - 1] != '\n') {
      end--;
    }
    bytes = next;
    at = 0;
    if (header && end > 0) {
      skipLine();
      header = false;
    }
    while (at < end) {
      line();
    }
    bytes = NOTHING;
    return end;
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
    if (wrong
        || nameEnd == name
        || bytes[at] != '\n'
        || node < Metrics.WHOLE_RUN
        || round < Metrics.BEFORE_TRAINING) {
      skipped++;
      skipLine();
      return;
    }
    at++;
    values(name, nameEnd).add(node, round, value, time);
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

  private Values values(int from, int to) {
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
        byte[] name = Arrays.copyOfRange(bytes, from, to);
        known = new Named(name, byMetric.apply(new String(name, StandardCharsets.US_ASCII)));
        metrics.add(known);
      }
      latest = known;
    }
    return known.values;
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

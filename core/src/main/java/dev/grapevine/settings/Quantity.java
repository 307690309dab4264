package dev.grapevine.settings;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers with units, as people write them. */
final class Quantity {

  /** Seconds in a unit. */
  static final SequencedMap<String, Double> TIME =
      units(
          "ns", 1e-9, "us", 1e-6, "µs", 1e-6, "ms", 1e-3, "s", 1, "min", 60, "h", 3600, "d", 86400);

  /** Bits per second in a unit. */
  static final SequencedMap<String, Double> BANDWIDTH =
      units(
          "bit/s",
          1,
          "kbit/s",
          1e3,
          "Mbit/s",
          1e6,
          "Gbit/s",
          1e9,
          "B/s",
          8,
          "kB/s",
          8e3,
          "MB/s",
          8e6,
          "GB/s",
          8e9,
          "KiB/s",
          8.0 * (1 << 10),
          "MiB/s",
          8.0 * (1 << 20),
          "GiB/s",
          8.0 * (1 << 30));

  /** Bytes in a unit. */
  static final SequencedMap<String, Double> SIZE =
      units(
          "B", 1, "KiB", 1 << 10, "MiB", 1 << 20, "GiB", 1 << 30, "kB", 1e3, "MB", 1e6, "GB", 1e9);

  static final SequencedMap<String, Double> BANDWIDTH_SHOWN =
      units("bit/s", 1, "kbit/s", 1e3, "Mbit/s", 1e6, "Gbit/s", 1e9);
  static final SequencedMap<String, Double> SIZE_SHOWN =
      units("B", 1, "KiB", 1 << 10, "MiB", 1 << 20, "GiB", 1 << 30);

  private static final Pattern NUMBER_WITH_UNIT =
      Pattern.compile("([0-9][0-9_]*(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\\s*([^0-9\\s].*)?");

  private Quantity() {}

  private static SequencedMap<String, Double> units(Object... namesAndFactors) {
    SequencedMap<String, Double> units = new LinkedHashMap<>();
    for (int i = 0; i < namesAndFactors.length; i += 2) {
      units.put((String) namesAndFactors[i], ((Number) namesAndFactors[i + 1]).doubleValue());
    }
    return units;
  }

  /** The value in the table's base unit; the message of the exception says what is wrong. */
  static double parse(String text, SequencedMap<String, Double> units) {
    Matcher matcher = NUMBER_WITH_UNIT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("a number and a unit are needed");
    }
    double number = Double.parseDouble(matcher.group(1).replace("_", ""));
    String unit = matcher.group(2);
    if (unit == null) {
      if (number == 0) {
        return 0;
      }
      throw new IllegalArgumentException(
          "the unit is missing: one of " + String.join(", ", units.keySet()));
    }
    Double factor = units.get(unit.strip());
    if (factor == null) {
      throw new IllegalArgumentException(
          "\"%s\" is no unit%s"
              .formatted(unit.strip(), Nearest.hint(unit.strip(), units.keySet())));
    }
    return number * factor;
  }

  /** The shortest exact writing, in the largest unit that keeps the number at 1 or above. */
  static String format(double value, SequencedMap<String, Double> units) {
    String best = plain(value) + " " + units.firstEntry().getKey();
    for (Map.Entry<String, Double> unit : units.entrySet()) {
      double number = value / unit.getValue();
      String text = plain(number) + " " + unit.getKey();
      if (number >= 1 && Double.isFinite(number) && parse(text, units) == value) {
        best = text;
      }
    }
    return best;
  }

  static Duration duration(String text) {
    double seconds = parse(text, TIME);
    if (seconds > 1e9) {
      throw new IllegalArgumentException("that is more than thirty years");
    }
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  static String format(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos % 1_000_000_000L == 0) {
      long seconds = nanos / 1_000_000_000L;
      return seconds > 0 && seconds % 3600 == 0
          ? seconds / 3600 + " h"
          : seconds > 0 && seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
    }
    if (nanos % 1_000_000 == 0) {
      return nanos / 1_000_000 + " ms";
    }
    return nanos % 1000 == 0 ? nanos / 1000 + " us" : nanos + " ns";
  }

  private static String plain(double number) {
    if (!Double.isFinite(number)) {
      return Double.toString(number);
    }
    return new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
  }
}

package dev.grapevine.app.compare;

import dev.grapevine.results.Spread;
import java.util.Locale;

/** Numbers as people read them in a table; what is not known is a dash. */
final class Figures {

  static final String UNKNOWN = "–";
  private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB"};

  private Figures() {}

  /** A share as percent, with its confidence interval where there is one. */
  static String percent(Spread spread) {
    if (spread.count() == 0) {
      return UNKNOWN;
    }
    String mean = format("%.2f", 100 * spread.mean());
    return spread.count() < 2 ? mean : mean + format(" ± %.2f", 100 * spread.confidence95());
  }

  static String bytes(double bytes) {
    if (Double.isNaN(bytes)) {
      return UNKNOWN;
    }
    int unit = 0;
    while (bytes >= 1000 && unit + 1 < BYTE_UNITS.length) {
      bytes /= 1000;
      unit++;
    }
    return format(unit == 0 ? "%.0f " : "%.2f ", bytes) + BYTE_UNITS[unit];
  }

  static String seconds(double seconds) {
    if (Double.isNaN(seconds)) {
      return UNKNOWN;
    }
    if (seconds < 120) {
      return format("%.1f s", seconds);
    }
    return seconds < 7200 ? format("%.1f min", seconds / 60) : format("%.1f h", seconds / 3600);
  }

  static String whole(double number) {
    return Double.isNaN(number) ? UNKNOWN : format("%.0f", number);
  }

  static String probability(double p) {
    return p < 1e-4 ? "p < 0.0001" : format("p = %.4f", p);
  }

  private static String format(String pattern, double number) {
    return String.format(Locale.ROOT, pattern, number);
  }
}

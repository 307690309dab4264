package dev.grapevine.app.console;

import java.time.Duration;
import java.util.Locale;

/** Figures as people read them. */
public final class Texts {

  private Texts() {}

  /** Such as {@code 12.3 MB}; powers of ten, as networks count. */
  public static String bytes(double bytes) {
    String[] units = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    while (bytes >= 1000 && unit < units.length - 1) {
      bytes /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  }

  /** Such as {@code 3.2 s}, {@code 2 min 05 s} or {@code 1 h 02 min}. */
  public static String duration(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds < 60) {
      return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }
    if (seconds < 3600) {
      return String.format(Locale.ROOT, "%d min %02d s", seconds / 60, seconds % 60);
    }
    return String.format(Locale.ROOT, "%d h %02d min", seconds / 3600, seconds % 3600 / 60);
  }

  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}

package dev.grapevine.app.run;

import dev.grapevine.app.console.Texts;
import dev.grapevine.launch.Forecast;
import java.time.Duration;
import java.util.Locale;

/** A forecast in one line. */
public final class ForecastText {

  private ForecastText() {}

  /**
   * Such as {@code about 40 min, of which evaluation 36 min (1024 nodes × 10,000 samples; --set
   * evaluation.nodes=16 makes it 5 min); memory about 1.3 GB; 97.7 MB sent by each node}.
   */
  public static String of(Forecast forecast) {
    StringBuilder text = new StringBuilder("about ").append(rough(forecast.time()));
    if (forecast.evaluating().compareTo(forecast.time().dividedBy(10)) > 0) {
      text.append(
          String.format(
              Locale.ROOT,
              ", of which evaluation %s (%,d node%s × %,d samples each time",
              rough(forecast.evaluating()),
              forecast.evaluatedNodes(),
              forecast.evaluatedNodes() == 1 ? "" : "s",
              forecast.evaluatedSamples()));
      if (!forecast.adviceKey().isEmpty()) {
        text.append(
            "; --set %s makes it %s".formatted(forecast.adviceKey(), rough(forecast.adviceTime())));
      }
      text.append(')');
    }
    text.append("; memory about ").append(Texts.bytes(forecast.memoryBytes()));
    forecast
        .bytesSent()
        .ifPresent(
            bytes -> text.append("; ").append(Texts.bytes(bytes)).append(" sent by each node"));
    return text.toString();
  }

  /** No more digits than were measured. */
  private static String rough(Duration duration) {
    long seconds = Math.round(duration.toMillis() / 1e3);
    if (seconds < 1) {
      return "a second";
    }
    if (seconds < 90) {
      return seconds + " s";
    }
    long minutes = Math.round(seconds / 60.0);
    if (minutes < 90) {
      return minutes + " min";
    }
    double hours = seconds / 3600.0;
    return hours < 48
        ? String.format(Locale.ROOT, "%.1f h", hours)
        : String.format(Locale.ROOT, "%.1f days", hours / 24);
  }
}

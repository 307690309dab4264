package dev.grapevine.app.plot;

import dev.grapevine.results.Axis;
import dev.grapevine.results.Curve;
import dev.grapevine.results.Metrics;
import java.util.List;
import java.util.Locale;

/**
 * Curves to be drawn together, all of one metric against one axis.
 *
 * @param name of its files, without their ending
 * @param title above the curves, or empty
 * @param curves at least one, none of them empty
 */
record Figure(String name, String title, List<Curve> curves) {

  Figure {
    curves = List.copyOf(curves);
  }

  Axis axis() {
    return curves.getFirst().axis();
  }

  String metric() {
    return curves.getFirst().metric();
  }

  boolean isAccuracy() {
    return metric().endsWith("accuracy");
  }

  Scale xScale() {
    double largest = curves.stream().mapToDouble(c -> c.points().getLast().x()).max().orElse(1);
    return switch (axis()) {
      case ROUNDS, PERCENTILES -> Scale.NONE;
      case TIME -> Scale.ofSeconds(largest);
      case BYTES -> Scale.ofBytes(largest);
    };
  }

  Scale yScale() {
    if (isAccuracy()) {
      return Scale.PERCENT;
    }
    double largest =
        curves.stream()
            .flatMap(c -> c.points().stream())
            .mapToDouble(p -> p.y().mean())
            .max()
            .orElse(1);
    return metric().startsWith("bytes_")
        ? Scale.ofBytes(largest)
        : metric().startsWith("seconds_") ? Scale.ofSeconds(largest) : Scale.NONE;
  }

  String xTitle() {
    return switch (axis()) {
      case ROUNDS -> "Communication rounds";
      case TIME -> xScale().title("Time");
      case BYTES -> xScale().title("Sent per node");
      case PERCENTILES -> "Percentile of coordinates";
    };
  }

  String yTitle() {
    String what =
        switch (metric()) {
          case Metrics.AVERAGE_ACCURACY -> "Accuracy of average model";
          case Metrics.AVERAGE_LOSS -> "Loss of average model";
          case Metrics.BYTES_SENT -> "Sent per node";
          case Metrics.BYTES_RECEIVED -> "Received per node";
          case Metrics.BYTES_METADATA -> "Metadata sent per node";
          default -> sentence(metric());
        };
    return yScale().title(what);
  }

  private static String sentence(String metric) {
    String words = metric.replace('_', ' ');
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }
}

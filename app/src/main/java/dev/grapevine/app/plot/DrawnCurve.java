package dev.grapevine.app.plot;

import dev.grapevine.results.Curve;
import java.util.ArrayList;
import java.util.List;

/**
 * A curve in the units that a figure shows, cut where it has no finite value.
 *
 * @param parts stretches without a gap, none empty
 */
record DrawnCurve(String label, List<List<Spot>> parts) {

  /** One point with the ends of its interval, which are equal where there is none. */
  record Spot(double x, double y, double low, double high) {

    boolean hasBand() {
      return low < high;
    }
  }

  static DrawnCurve of(Curve curve, Figure figure) {
    double xUnit = figure.xScale().factor();
    double yUnit = figure.yScale().factor();
    double top = figure.isShare() ? 1 / yUnit : Double.POSITIVE_INFINITY;
    // What cannot be negative has no negative interval either.
    boolean positive = curve.points().stream().noneMatch(point -> point.y().mean() < 0);
    double bottom = positive ? 0 : Double.NEGATIVE_INFINITY;
    List<List<Spot>> parts = new ArrayList<>();
    List<Spot> part = new ArrayList<>();
    for (Curve.Point point : curve.points()) {
      double x = point.x() / xUnit;
      double y = point.y().mean() / yUnit;
      if (!(Math.abs(x) <= Ticks.LARGEST) || !(Math.abs(y) <= Ticks.LARGEST)) {
        part = close(part, parts);
        continue;
      }
      double half =
          figure.hasBands() && point.y().count() > 1 ? point.y().confidence95() / yUnit : 0;
      half = half <= Ticks.LARGEST ? half : 0;
      part.add(new Spot(x, y, Math.max(bottom, y - half), Math.min(Math.max(y, top), y + half)));
    }
    close(part, parts);
    return new DrawnCurve(curve.label(), parts);
  }

  private static List<Spot> close(List<Spot> part, List<List<Spot>> parts) {
    if (!part.isEmpty()) {
      parts.add(part);
    }
    return new ArrayList<>();
  }

  List<Spot> spots() {
    return parts.stream().flatMap(List::stream).toList();
  }
}

package dev.grapevine.app.plot;

import dev.grapevine.results.Curve;
import java.util.Comparator;
import java.util.List;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Finds the corner in which a legend hides least of the curves. */
final class LegendCorner {

  // How much of the plot a legend takes, roughly: as the fonts of Chart are.
  private static final double WIDTH_OF_LINE = 0.09;
  private static final double WIDTH_OF_LETTER = 0.015;
  private static final double HEIGHT_OF_ENTRY = 0.065;
  private static final int LONGEST_LABEL = 26;

  /** How finely the lines between points are looked at. */
  private static final int STEPS = 16;

  private static final List<LegendPosition> CORNERS =
      List.of(
          LegendPosition.InsideSE,
          LegendPosition.InsideNW,
          LegendPosition.InsideNE,
          LegendPosition.InsideSW);

  private final List<Curve> curves;
  private final double width;
  private final double height;
  private double right;
  private double bottom = Double.POSITIVE_INFINITY;
  private double top = Double.NEGATIVE_INFINITY;

  LegendCorner(List<Curve> curves) {
    this.curves = curves;
    int letters = curves.stream().mapToInt(curve -> curve.label().length()).max().orElse(0);
    width = WIDTH_OF_LINE + WIDTH_OF_LETTER * Math.min(LONGEST_LABEL, letters);
    height = HEIGHT_OF_ENTRY * curves.size();
    for (Curve curve : curves) {
      for (Curve.Point point : curve.points()) {
        right = Math.max(right, point.x());
        bottom = Math.min(bottom, point.y().mean());
        top = Math.max(top, point.y().mean());
      }
    }
  }

  LegendPosition best() {
    return CORNERS.stream().min(Comparator.comparingInt(this::hidden)).orElseThrow();
  }

  /** How many of the places along the curves lie in a corner. */
  private int hidden(LegendPosition corner) {
    boolean east = corner == LegendPosition.InsideSE || corner == LegendPosition.InsideNE;
    boolean south = corner == LegendPosition.InsideSE || corner == LegendPosition.InsideSW;
    int hidden = 0;
    for (Curve curve : curves) {
      List<Curve.Point> points = curve.points();
      for (int i = 1; i < points.size(); i++) {
        for (int step = 0; step < STEPS; step++) {
          double part = (double) step / STEPS;
          double x = between(points.get(i - 1).x(), points.get(i).x(), part) / right;
          double y = between(points.get(i - 1).y().mean(), points.get(i).y().mean(), part);
          double up = (y - bottom) / (top - bottom);
          boolean inside = (east ? 1 - x : x) < width && (south ? up : 1 - up) < height;
          hidden += inside ? 1 : 0;
        }
      }
    }
    return hidden;
  }

  private static double between(double from, double to, double part) {
    return from + part * (to - from);
  }
}

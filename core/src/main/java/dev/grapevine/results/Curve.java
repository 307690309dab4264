package dev.grapevine.results;

import java.util.List;

/**
 * A metric over the course of a run, or of several that differ in their seed only.
 *
 * @param label what to call it
 * @param metric what its values are
 * @param axis what its x are
 * @param points in the order of rounds
 */
public record Curve(String label, String metric, Axis axis, List<Point> points) {

  /**
   * One recorded round.
   *
   * @param round its number, from 0; the hundredth in place of it for share counts
   * @param x where it stands on the axis
   * @param y the values: of the nodes of a single run, or of the means of several runs
   */
  public record Point(int round, double x, Spread y) {}

  public Curve {
    points = List.copyOf(points);
  }
}

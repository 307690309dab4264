package dev.grapevine.app.topology;

import java.awt.Color;

/** A sheet to draw on; lengths are in pixels of a {@link #SIZE} by {@link #SIZE} sheet. */
interface Canvas {

  double SIZE = 900;

  void line(double x1, double y1, double x2, double y2, double width, Color color);

  /** A triangle, filled. */
  void triangle(double[] x, double[] y, Color color);

  void disc(double x, double y, double radius, Color fill, Color rim);

  /** Text in the middle of (x, y). */
  void text(double x, double y, double height, String text, Color color);
}

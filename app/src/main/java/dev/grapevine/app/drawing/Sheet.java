package dev.grapevine.app.drawing;

import java.awt.Color;
import java.awt.image.BufferedImage;

/**
 * A white sheet to draw on. Lengths are in tenths of a millimetre, from the upper left corner; the
 * alpha of a colour counts.
 */
public interface Sheet {

  /** Where a text stands relative to its point. */
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  /** A line through the points, which are finite numbers. */
  void line(double[] x, double[] y, Pen pen);

  /** A closed shape, filled. */
  void fill(double[] x, double[] y, Color color);

  void disc(double x, double y, double radius, Color color);

  /** Text whose baseline goes through (x, y). */
  void text(String text, double x, double y, Anchor anchor, Typeface.Size size, Color color);

  /** Text that runs upwards, in the middle of (x, y). */
  void upwards(String text, double x, double y, Typeface.Size size, Color color);

  /** Pixels, stretched over a rectangle without smoothing. */
  void image(BufferedImage image, double x, double y, double width, double height);

  /** Until {@link #unclip}, nothing outside the rectangle is drawn. */
  void clip(double x, double y, double width, double height);

  void unclip();

  /** The picture as a file's content; nothing can be drawn after it. */
  byte[] finish();

  default void line(double x1, double y1, double x2, double y2, Pen pen) {
    line(new double[] {x1, x2}, new double[] {y1, y2}, pen);
  }

  default void rectangle(double x, double y, double width, double height, Color color) {
    fill(
        new double[] {x, x + width, x + width, x},
        new double[] {y, y, y + height, y + height},
        color);
  }

  default void frame(double x, double y, double width, double height, Pen pen) {
    line(
        new double[] {x, x + width, x + width, x, x},
        new double[] {y, y, y + height, y + height, y},
        pen);
  }
}

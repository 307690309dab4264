package dev.grapevine.app.topology;

import java.awt.Color;
import java.util.Locale;

/** Draws into SVG text. */
final class SvgCanvas implements Canvas {

  private final StringBuilder svg = new StringBuilder();

  SvgCanvas() {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$.0f %1$.0f\""
            + " font-family=\"Helvetica, Arial, sans-serif\">%n"
            + "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n",
        SIZE);
  }

  private void add(String format, Object... arguments) {
    svg.append(String.format(Locale.ROOT, format, arguments));
  }

  private static String rgb(Color color) {
    return String.format(Locale.ROOT, "#%06x", color.getRGB() & 0xffffff);
  }

  @Override
  public void line(double x1, double y1, double x2, double y2, double width, Color color) {
    add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
            + " stroke-opacity=\"%.2f\" stroke-width=\"%.2f\"/>%n",
        x1, y1, x2, y2, rgb(color), color.getAlpha() / 255.0, width);
  }

  @Override
  public void triangle(double[] x, double[] y, Color color) {
    add(
        "<polygon points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" fill=\"%s\" fill-opacity=\"%.2f\"/>%n",
        x[0], y[0], x[1], y[1], x[2], y[2], rgb(color), color.getAlpha() / 255.0);
  }

  @Override
  public void disc(double x, double y, double radius, Color fill, Color rim) {
    add(
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\" fill=\"%s\" stroke=\"%s\""
            + " stroke-width=\"%.2f\"/>%n",
        x, y, radius, rgb(fill), rgb(rim), radius / 7);
  }

  @Override
  public void text(double x, double y, double height, String text, Color color) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" text-anchor=\"middle\" fill=\"%s\">%s"
            + "</text>%n",
        x, y + 0.36 * height, height, rgb(color), text);
  }

  String finish() {
    return svg + "</svg>\n";
  }
}

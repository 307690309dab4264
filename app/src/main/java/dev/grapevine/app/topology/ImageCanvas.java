package dev.grapevine.app.topology;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;

/** Draws into an image of twice the sheet's size. */
final class ImageCanvas implements Canvas {

  private static final int SCALE = 2;
  private static final int PIXELS = (int) (SIZE * SCALE);

  private final BufferedImage image = new BufferedImage(PIXELS, PIXELS, BufferedImage.TYPE_INT_RGB);
  private final Graphics2D graphics = image.createGraphics();

  ImageCanvas() {
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    graphics.scale(SCALE, SCALE);
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
  }

  @Override
  public void line(double x1, double y1, double x2, double y2, double width, Color color) {
    graphics.setColor(color);
    graphics.setStroke(new BasicStroke((float) width));
    graphics.draw(new Line2D.Double(x1, y1, x2, y2));
  }

  @Override
  public void triangle(double[] x, double[] y, Color color) {
    Path2D path = new Path2D.Double();
    path.moveTo(x[0], y[0]);
    path.lineTo(x[1], y[1]);
    path.lineTo(x[2], y[2]);
    path.closePath();
    graphics.setColor(color);
    graphics.fill(path);
  }

  @Override
  public void disc(double x, double y, double radius, Color fill, Color rim) {
    var disc = new Ellipse2D.Double(x - radius, y - radius, 2 * radius, 2 * radius);
    graphics.setColor(fill);
    graphics.fill(disc);
    graphics.setColor(rim);
    graphics.setStroke(new BasicStroke((float) radius / 7));
    graphics.draw(disc);
  }

  @Override
  public void text(double x, double y, double height, String text, Color color) {
    graphics.setColor(color);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 1).deriveFont((float) height));
    int width = graphics.getFontMetrics().stringWidth(text);
    graphics.drawString(text, (float) (x - width / 2.0), (float) (y + 0.36 * height));
  }

  BufferedImage finish() {
    graphics.dispose();
    return image;
  }
}

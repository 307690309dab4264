package dev.grapevine.app.drawing;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/** Ten pixels a millimetre, which is 254 dots an inch. */
final class PngSheet implements Sheet {

  private final BufferedImage image;
  private final Graphics2D graphics;

  PngSheet(double width, double height) {
    image =
        new BufferedImage(
            (int) Math.round(width), (int) Math.round(height), BufferedImage.TYPE_INT_RGB);
    graphics = image.createGraphics();
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
  }

  private static Path2D path(double[] x, double[] y) {
    Path2D path = new Path2D.Double();
    path.moveTo(x[0], y[0]);
    for (int i = 1; i < x.length; i++) {
      path.lineTo(x[i], y[i]);
    }
    return path;
  }

  @Override
  public void line(double[] x, double[] y, Pen pen) {
    graphics.setColor(pen.color());
    graphics.setStroke(
        new BasicStroke(
            (float) pen.width(),
            BasicStroke.CAP_BUTT,
            BasicStroke.JOIN_ROUND,
            10,
            pen.dash().isEmpty() ? null : pen.dashes(),
            0));
    graphics.draw(path(x, y));
  }

  @Override
  public void fill(double[] x, double[] y, Color color) {
    graphics.setColor(color);
    Path2D path = path(x, y);
    path.closePath();
    graphics.fill(path);
  }

  @Override
  public void disc(double x, double y, double radius, Color color) {
    graphics.setColor(color);
    graphics.fill(new Ellipse2D.Double(x - radius, y - radius, 2 * radius, 2 * radius));
  }

  @Override
  public void text(
      String text, double x, double y, Anchor anchor, Typeface.Size size, Color color) {
    double left = x - size.width(text) * anchor.ordinal() / 2.0;
    graphics.setColor(color);
    graphics.setFont(Typeface.font(text, size.units()));
    graphics.drawString(text, (float) left, (float) y);
  }

  @Override
  public void upwards(String text, double x, double y, Typeface.Size size, Color color) {
    AffineTransform before = graphics.getTransform();
    graphics.translate(x, y);
    graphics.rotate(-Math.PI / 2);
    text(text, 0, 0, Anchor.MIDDLE, size, color);
    graphics.setTransform(before);
  }

  @Override
  public void image(BufferedImage pixels, double x, double y, double width, double height) {
    graphics.drawImage(
        pixels, (int) Math.round(x), (int) Math.round(y), (int) width, (int) height, null);
  }

  @Override
  public void clip(double x, double y, double width, double height) {
    graphics.setClip(new Rectangle2D.Double(x, y, width, height));
  }

  @Override
  public void unclip() {
    graphics.setClip(null);
  }

  @Override
  public byte[] finish() {
    graphics.dispose();
    try (ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      ImageIO.write(image, "png", out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

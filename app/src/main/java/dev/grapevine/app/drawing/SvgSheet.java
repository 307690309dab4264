package dev.grapevine.app.drawing;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;

/** SVG with text that can be searched, selected and edited. */
final class SvgSheet implements Sheet {

  private static final String[] ANCHORS = {"start", "middle", "end"};

  private final StringBuilder svg = new StringBuilder();
  private int clips;

  SvgSheet(double width, double height) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.1fmm\" height=\"%.1fmm\""
            + " viewBox=\"0 0 %.0f %.0f\" font-family=\"'Liberation Sans', Arial, Helvetica,"
            + " sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
        width / 10, height / 10, width, height);
  }

  private void add(String format, Object... arguments) {
    svg.append(String.format(Locale.ROOT, format, arguments));
  }

  private static String paint(String what, Color color) {
    String rgb = String.format(Locale.ROOT, "%s=\"#%06x\"", what, color.getRGB() & 0xffffff);
    return color.getAlpha() == 255
        ? rgb
        : rgb + String.format(Locale.ROOT, " %s-opacity=\"%.3f\"", what, color.getAlpha() / 255.0);
  }

  private static String points(double[] x, double[] y) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < x.length; i++) {
      points.append(String.format(Locale.ROOT, "%s%.2f,%.2f", i == 0 ? "" : " ", x[i], y[i]));
    }
    return points.toString();
  }

  @Override
  public void line(double[] x, double[] y, Pen pen) {
    String dash =
        pen.dash().isEmpty()
            ? ""
            : pen.dash().stream()
                .map(length -> String.format(Locale.ROOT, "%.1f", length))
                .collect(Collectors.joining(" ", " stroke-dasharray=\"", "\""));
    add(
        "<polyline points=\"%s\" fill=\"none\" %s stroke-width=\"%.2f\""
            + " stroke-linejoin=\"round\"%s/>\n",
        points(x, y), paint("stroke", pen.color()), pen.width(), dash);
  }

  @Override
  public void fill(double[] x, double[] y, Color color) {
    add("<polygon points=\"%s\" %s/>\n", points(x, y), paint("fill", color));
  }

  @Override
  public void disc(double x, double y, double radius, Color color) {
    add("<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" %s/>\n", x, y, radius, paint("fill", color));
  }

  @Override
  public void text(
      String text, double x, double y, Anchor anchor, Typeface.Size size, Color color) {
    add(
        "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.1f\" text-anchor=\"%s\" %s>%s</text>\n",
        x, y, size.units(), ANCHORS[anchor.ordinal()], paint("fill", color), escaped(text));
  }

  @Override
  public void upwards(String text, double x, double y, Typeface.Size size, Color color) {
    add(
        "<text transform=\"translate(%.2f %.2f) rotate(-90)\" font-size=\"%.1f\""
            + " text-anchor=\"middle\" %s>%s</text>\n",
        x, y, size.units(), paint("fill", color), escaped(text));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @Override
  public void image(BufferedImage image, double x, double y, double width, double height) {
    try (ByteArrayOutputStream png = new ByteArrayOutputStream()) {
      ImageIO.write(image, "png", png);
      add(
          "<image x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\""
              + " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\""
              + " href=\"data:image/png;base64,%s\"/>\n",
          x, y, width, height, Base64.getEncoder().encodeToString(png.toByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void clip(double x, double y, double width, double height) {
    clips++;
    add(
        "<clipPath id=\"clip%1$d\"><rect x=\"%2$.2f\" y=\"%3$.2f\" width=\"%4$.2f\""
            + " height=\"%5$.2f\"/></clipPath>\n<g clip-path=\"url(#clip%1$d)\">\n",
        clips, x, y, width, height);
  }

  @Override
  public void unclip() {
    svg.append("</g>\n");
  }

  @Override
  public byte[] finish() {
    return (svg + "</svg>\n").getBytes(StandardCharsets.UTF_8);
  }
}

package dev.grapevine.app.drawing;

import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.PathIterator;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;
import org.apache.pdfbox.pdmodel.graphics.image.PDImageXObject;
import org.apache.pdfbox.pdmodel.graphics.state.PDExtendedGraphicsState;
import org.apache.pdfbox.util.Matrix;

/**
 * PDF in the size that the picture has on paper. Text is text, and its typeface is embedded, as
 * publishers ask for.
 */
final class PdfSheet implements Sheet {

  private static final double POINTS_PER_UNIT = 72 / 254.0;

  /** How far from its middle the control points of a disc's four curves are, as a share. */
  private static final double ROUND = 4.0 / 3 * (Math.sqrt(2) - 1);

  private interface Drawing {
    void on(PDPageContentStream content) throws IOException;
  }

  private final PDDocument document = new PDDocument();
  private final PDPageContentStream content;
  private final PDType0Font font;
  private final double height;
  private final Map<Integer, PDExtendedGraphicsState> opacities = new HashMap<>();

  PdfSheet(double width, double height) {
    this.height = height * POINTS_PER_UNIT;
    try {
      PDPage page =
          new PDPage(new PDRectangle((float) (width * POINTS_PER_UNIT), (float) this.height));
      document.addPage(page);
      // The same figure gives the same bytes.
      document.setDocumentId(1L);
      content = new PDPageContentStream(document, page);
      font = PDType0Font.load(document, Typeface.open(), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void draw(Drawing drawing) {
    try {
      drawing.on(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static float x(double x) {
    return (float) (x * POINTS_PER_UNIT);
  }

  private float y(double y) {
    return (float) (height - y * POINTS_PER_UNIT);
  }

  private void opacity(Color color) throws IOException {
    PDExtendedGraphicsState state = opacities.get(color.getAlpha());
    if (state == null) {
      state = new PDExtendedGraphicsState();
      state.setNonStrokingAlphaConstant(color.getAlpha() / 255f);
      state.setStrokingAlphaConstant(color.getAlpha() / 255f);
      opacities.put(color.getAlpha(), state);
    }
    content.setGraphicsStateParameters(state);
  }

  private static Color opaque(Color color) {
    return new Color(color.getRGB() & 0xffffff);
  }

  private void path(double[] x, double[] y) throws IOException {
    content.moveTo(x(x[0]), y(y[0]));
    for (int i = 1; i < x.length; i++) {
      content.lineTo(x(x[i]), y(y[i]));
    }
  }

  @Override
  public void line(double[] x, double[] y, Pen pen) {
    draw(to -> {
      opacity(pen.color());
      to.setStrokingColor(opaque(pen.color()));
      to.setLineWidth(x(pen.width()));
      to.setLineJoinStyle(1);
      float[] dashes = pen.dashes();
      for (int i = 0; i < dashes.length; i++) {
        dashes[i] = x(dashes[i]);
      }
      to.setLineDashPattern(dashes, 0);
      path(x, y);
      to.stroke();
    });
  }

  @Override
  public void fill(double[] x, double[] y, Color color) {
    draw(to -> {
      opacity(color);
      to.setNonStrokingColor(opaque(color));
      path(x, y);
      to.closePath();
      to.fill();
    });
  }

  @Override
  public void disc(double x, double y, double radius, Color color) {
    draw(to -> {
      opacity(color);
      to.setNonStrokingColor(opaque(color));
      double r = radius;
      double c = ROUND * r;
      to.moveTo(x(x + r), y(y));
      to.curveTo(x(x + r), y(y + c), x(x + c), y(y + r), x(x), y(y + r));
      to.curveTo(x(x - c), y(y + r), x(x - r), y(y + c), x(x - r), y(y));
      to.curveTo(x(x - r), y(y - c), x(x - c), y(y - r), x(x), y(y - r));
      to.curveTo(x(x + c), y(y - r), x(x + r), y(y - c), x(x + r), y(y));
      to.fill();
    });
  }

  @Override
  public void text(
      String text, double x, double y, Anchor anchor, Typeface.Size size, Color color) {
    double left = x - size.width(text) * anchor.ordinal() / 2.0;
    write(text, Matrix.getTranslateInstance(x(left), y(y)), size, color);
  }

  @Override
  public void upwards(String text, double x, double y, Typeface.Size size, Color color) {
    Matrix place = Matrix.getRotateInstance(Math.PI / 2, x(x), y(y + size.width(text) / 2));
    write(text, place, size, color);
  }

  private void write(String text, Matrix place, Typeface.Size size, Color color) {
    draw(to -> {
      opacity(color);
      to.setNonStrokingColor(opaque(color));
      if (Typeface.has(text)) {
        to.beginText();
        to.setFont(font, x(size.units()));
        to.setTextMatrix(place);
        to.showText(text);
        to.endText();
      } else {
        outline(text, place, size);
      }
    });
  }

  /** Letters that cannot be embedded are drawn as shapes. */
  private void outline(String text, Matrix place, Typeface.Size size) throws IOException {
    Shape shape =
        Typeface.font(text, x(size.units()))
            .createGlyphVector(Typeface.context(), text)
            .getOutline();
    content.saveGraphicsState();
    content.transform(place);
    double[] p = new double[6];
    double[] at = new double[2];
    for (PathIterator i = shape.getPathIterator(null); !i.isDone(); i.next()) {
      switch (i.currentSegment(p)) {
        case PathIterator.SEG_MOVETO -> content.moveTo((float) p[0], (float) -p[1]);
        case PathIterator.SEG_LINETO -> content.lineTo((float) p[0], (float) -p[1]);
        case PathIterator.SEG_QUADTO -> {
          double[] q = {p[0], p[1], p[2], p[3]};
          content.curveTo(
              (float) (at[0] + 2 * (q[0] - at[0]) / 3),
              (float) -(at[1] + 2 * (q[1] - at[1]) / 3),
              (float) (q[2] + 2 * (q[0] - q[2]) / 3),
              (float) -(q[3] + 2 * (q[1] - q[3]) / 3),
              (float) q[2],
              (float) -q[3]);
          p[0] = q[2];
          p[1] = q[3];
        }
        case PathIterator.SEG_CUBICTO -> {
          content.curveTo(
              (float) p[0],
              (float) -p[1],
              (float) p[2],
              (float) -p[3],
              (float) p[4],
              (float) -p[5]);
          p[0] = p[4];
          p[1] = p[5];
        }
        default -> content.closePath();
      }
      at[0] = p[0];
      at[1] = p[1];
    }
    content.fill();
    content.restoreGraphicsState();
  }

  @Override
  public void image(BufferedImage image, double x, double y, double width, double height) {
    draw(to -> {
      PDImageXObject picture = LosslessFactory.createFromImage(document, image);
      to.drawImage(picture, x(x), y(y + height), x(width), x(height));
    });
  }

  @Override
  public void clip(double x, double y, double width, double height) {
    draw(to -> {
      to.saveGraphicsState();
      to.addRect(x(x), y(y + height), x(width), x(height));
      to.clip();
    });
  }

  @Override
  public void unclip() {
    draw(PDPageContentStream::restoreGraphicsState);
  }

  @Override
  public byte[] finish() {
    try (document;
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      content.close();
      document.getDocumentInformation().setCreator("Grapevine");
      document.save(out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

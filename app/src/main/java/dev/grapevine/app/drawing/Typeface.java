package dev.grapevine.app.drawing;

import java.awt.Font;
import java.awt.FontFormatException;
import java.awt.font.FontRenderContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Liberation Sans, which has the widths of Helvetica and Arial and comes with PDFBox: text takes
 * the same room on every machine. Letters that it lacks come from the machine's own typefaces.
 */
public final class Typeface {

  private static final String FILE = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";
  private static final FontRenderContext CONTEXT = new FontRenderContext(null, true, true);
  private static final Font REGULAR = load();
  private static final Font FALLBACK = new Font(Font.SANS_SERIF, Font.PLAIN, 1);

  /**
   * A height of letters.
   *
   * @param units in units of the sheet
   */
  public record Size(double units) {

    public double width(String text) {
      return font(text, units).getStringBounds(text, CONTEXT).getWidth();
    }
  }

  private Typeface() {}

  private static Font load() {
    try (InputStream in = open()) {
      return Font.createFont(Font.TRUETYPE_FONT, in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (FontFormatException e) {
      throw new IllegalStateException("the typeface that comes with PDFBox is broken", e);
    }
  }

  static InputStream open() throws IOException {
    InputStream in = Typeface.class.getResourceAsStream(FILE);
    if (in == null) {
      throw new IOException("PDFBox has no " + FILE);
    }
    return in;
  }

  /** Whether the typeface has all letters of a text. */
  static boolean has(String text) {
    return REGULAR.canDisplayUpTo(text) < 0;
  }

  /** The font in which a text can be written. */
  static Font font(String text, double units) {
    return (has(text) ? REGULAR : FALLBACK).deriveFont((float) units);
  }

  static FontRenderContext context() {
    return CONTEXT;
  }
}

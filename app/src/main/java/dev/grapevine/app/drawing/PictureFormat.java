package dev.grapevine.app.drawing;

import java.util.Locale;

/** What a picture can be written as. */
public enum PictureFormat {
  PNG,
  SVG,
  PDF;

  /** The ending of such files. */
  public String ending() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** An empty sheet, in tenths of a millimetre. */
  public Sheet sheet(double width, double height) {
    return switch (this) {
      case PNG -> new PngSheet(width, height);
      case SVG -> new SvgSheet(width, height);
      case PDF -> new PdfSheet(width, height);
    };
  }
}

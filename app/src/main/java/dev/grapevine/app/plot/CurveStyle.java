package dev.grapevine.app.plot;

import dev.grapevine.app.drawing.Pen;
import dev.grapevine.app.drawing.Sheet;
import java.awt.Color;
import java.util.List;

/**
 * How one curve looks. Colours are Okabe and Ito's, which colour-blind people tell apart; dashes
 * and marks tell curves apart in black and white. No two of the first 32 look the same.
 *
 * @param mark index of the shape of its marks
 */
record CurveStyle(Color color, List<Float> dash, int mark) {

  static final double LINE = 3.2;
  private static final double MARK = 6.5;
  private static final int MARKS = 8;

  private static final int[] COLORS = {
    0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x333333, 0x8C6BB1
  };
  private static final List<List<Float>> DASHES =
      List.of(List.of(), List.of(14f, 6f), List.of(4f, 5f), List.of(14f, 5f, 4f, 5f));

  /** The style of the i-th curve, in a colour of one's own where one is given. */
  static CurveStyle of(int index, List<Color> colors) {
    int turn = index / COLORS.length;
    Color color =
        index < colors.size() ? colors.get(index) : new Color(COLORS[index % COLORS.length]);
    return new CurveStyle(
        color, DASHES.get((index + turn) % DASHES.size()), (index + 3 * turn) % MARKS);
  }

  Pen pen() {
    return new Pen(color, LINE, dash);
  }

  Color pale() {
    return new Color(color.getRed(), color.getGreen(), color.getBlue(), 44);
  }

  void drawMark(Sheet sheet, double x, double y) {
    double r = MARK;
    Pen pen = Pen.of(color, LINE);
    switch (mark) {
      case 0 -> sheet.disc(x, y, r, color);
      case 1 -> sheet.rectangle(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r, color);
      case 2 -> sheet.fill(triple(x, r, -r, 0), triple(y, 0.75 * r, 0.75 * r, -1.1 * r), color);
      case 3 ->
          sheet.fill(
              new double[] {x - 1.2 * r, x, x + 1.2 * r, x},
              new double[] {y, y - 1.2 * r, y, y + 1.2 * r},
              color);
      case 4 -> sheet.fill(triple(x, r, -r, 0), triple(y, -0.75 * r, -0.75 * r, 1.1 * r), color);
      case 5 -> {
        sheet.line(x - r, y - r, x + r, y + r, pen);
        sheet.line(x - r, y + r, x + r, y - r, pen);
      }
      case 6 -> {
        sheet.line(x - 1.2 * r, y, x + 1.2 * r, y, pen);
        sheet.line(x, y - 1.2 * r, x, y + 1.2 * r, pen);
      }
      default -> {
        sheet.disc(x, y, r, color);
        sheet.disc(x, y, 0.5 * r, Color.WHITE);
      }
    }
  }

  private static double[] triple(double at, double a, double b, double c) {
    return new double[] {at + a, at + b, at + c};
  }
}

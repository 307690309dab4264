package dev.grapevine.app.plot;

import dev.grapevine.app.drawing.Pen;
import dev.grapevine.app.drawing.Sheet;
import dev.grapevine.app.drawing.Sheet.Anchor;
import dev.grapevine.app.drawing.Typeface;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of curves beside a piece of each. A name that is too long for its place goes on in the next
 * line; none is cut.
 */
final class LegendBox {

  private static final Typeface.Size SIZE = new Typeface.Size(21);
  private static final double SAMPLE = 54;
  private static final double ROW = 27;
  private static final double PADDING = 10;
  private static final double BETWEEN = 26;

  private final List<String> labels;
  private final List<Color> colors;

  LegendBox(List<String> labels, List<Color> colors) {
    this.labels = labels;
    this.colors = colors;
  }

  /** Lines that each fit into a width, broken after commas or spaces, or else anywhere. */
  static List<String> wrapped(String label, double room) {
    List<String> lines = new ArrayList<>();
    String rest = label;
    while (SIZE.width(rest) > room && rest.length() > 1) {
      int fits = 1;
      int good = 0;
      while (fits < rest.length() && SIZE.width(rest.substring(0, fits + 1)) <= room) {
        fits++;
        if (rest.charAt(fits - 1) == ' ') {
          good = fits;
        }
      }
      int cut = good > 0 ? good : fits;
      lines.add(rest.substring(0, cut).stripTrailing());
      rest = rest.substring(cut).stripLeading();
    }
    lines.add(rest);
    return lines;
  }

  /** Of one column, if a column may be so wide. */
  double width(double most) {
    double text = 0;
    for (String label : labels) {
      for (String line : wrapped(label, most - SAMPLE)) {
        text = Math.max(text, SIZE.width(line));
      }
    }
    return SAMPLE + text;
  }

  private int columns(double room) {
    double one = width(room) + BETWEEN;
    int fitting = (int) Math.clamp((room + BETWEEN) / one, 1, labels.size());
    int rows = (labels.size() + fitting - 1) / fitting;
    return (labels.size() + rows - 1) / rows;
  }

  /** Of all labels in as many columns as fit. */
  double height(double room) {
    return heights(columns(room), room).stream().mapToDouble(h -> h).sum();
  }

  /** The height of each row. */
  private List<Double> heights(int columns, double room) {
    int rows = (labels.size() + columns - 1) / columns;
    List<Double> heights = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      int lines = 1;
      for (int i = row; i < labels.size(); i += rows) {
        lines = Math.max(lines, wrapped(labels.get(i), room / columns - SAMPLE).size());
      }
      heights.add(lines * ROW);
    }
    return heights;
  }

  double framedWidth(double most) {
    return width(most) + 2 * PADDING;
  }

  double framedHeight(double most) {
    return heights(1, width(most) + 1).stream().mapToDouble(h -> h).sum() + PADDING;
  }

  void drawFramed(Sheet sheet, double x, double y) {
    double most = Chart.WIDTH / 2.0;
    double width = framedWidth(most);
    double height = framedHeight(most);
    sheet.rectangle(x, y, width, height, Color.WHITE);
    sheet.frame(x, y, width, height, Pen.of(new Color(0xCCCCCC), 1));
    draw(sheet, x + PADDING, y + PADDING / 2, width(most) + 1, 1);
  }

  void drawBelow(Sheet sheet, double x, double y, double room) {
    int columns = columns(room);
    double used = Math.min(room, columns * (width(room) + BETWEEN) - BETWEEN);
    draw(sheet, x + (room - used) / 2, y, used, columns);
  }

  /** In columns, filled downwards. */
  void draw(Sheet sheet, double x, double y, double room, int columns) {
    List<Double> heights = heights(columns, room);
    int rows = heights.size();
    for (int i = 0; i < labels.size(); i++) {
      double left = x + i / rows * ((room + (columns > 1 ? BETWEEN : 0)) / columns);
      double top = y;
      for (int row = 0; row < i % rows; row++) {
        top += heights.get(row);
      }
      CurveStyle style = CurveStyle.of(i, colors);
      double middle = top + ROW / 2;
      sheet.line(left, middle, left + SAMPLE - 10, middle, style.pen());
      style.drawMark(sheet, left + (SAMPLE - 10) / 2, middle);
      List<String> lines = wrapped(labels.get(i), room / columns - SAMPLE + 1);
      for (int line = 0; line < lines.size(); line++) {
        sheet.text(
            lines.get(line),
            left + SAMPLE,
            top + line * ROW + ROW / 2 + 7.5,
            Anchor.START,
            SIZE,
            Chart.INK);
      }
    }
  }
}

package dev.grapevine.app.plot;

import dev.grapevine.app.drawing.Pen;
import dev.grapevine.app.drawing.Sheet;
import dev.grapevine.app.drawing.Sheet.Anchor;
import dev.grapevine.app.drawing.Typeface;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One pair of axes with its curves, at its place on the sheet.
 *
 * @param content what is drawn
 * @param plot the rectangle between the axes
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param yTitle beside it, or empty
 * @param xTitle below it, or empty
 */
record PanelAxes(Content content, Box plot, Ticks x, Ticks y, String yTitle, String xTitle) {

  private static final Typeface.Size NUMBERS = new Typeface.Size(22);
  private static final Typeface.Size TITLES = new Typeface.Size(25);
  private static final Pen GRID = Pen.of(new Color(0xE2E2E2), 1);
  private static final Pen FRAME = Pen.of(new Color(0x888888), 1.4);
  private static final int MOST_MARKS = 24;
  private static final int FEW_MARKS = 8;
  private static final double CLEAR = 9;

  /** A rectangle. */
  record Box(double x, double y, double width, double height) {}

  /** The curves of a panel under its title. */
  record Content(String title, List<DrawnCurve> curves) {

    Content {
      curves = List.copyOf(curves);
    }
  }

  /** What the axes of all panels of a figure span. */
  record Range(double left, double right, double bottom, double top, boolean logX, boolean logY) {

    static Range of(Figure figure, List<Content> panels) {
      FigureLook look = figure.look();
      List<DrawnCurve.Spot> spots =
          panels.stream()
              .flatMap(panel -> panel.curves().stream())
              .flatMap(curve -> curve.spots().stream())
              .filter(spot -> !look.logX() || spot.x() > 0)
              .filter(spot -> !look.logY() || spot.y() > 0)
              .toList();
      double right = spots.stream().mapToDouble(DrawnCurve.Spot::x).max().orElse(1);
      double left =
          look.logX() ? spots.stream().mapToDouble(DrawnCurve.Spot::x).min().orElse(0.1) : 0;
      FigureLook.Limits x = look.xLimits().orElseGet(() -> spread(left, right, look.logX(), 0));
      List<DrawnCurve.Spot> seen =
          spots.stream().filter(spot -> spot.x() >= x.low() && spot.x() <= x.high()).toList();
      FigureLook.Limits y =
          look.yLimits().orElseGet(() -> vertical(figure, seen.isEmpty() ? spots : seen));
      return new Range(x.low(), x.high(), y.low(), y.high(), look.logX(), look.logY());
    }

    /** All means, and bands as far as they do not press the means into a thin line. */
    private static FigureLook.Limits vertical(Figure figure, List<DrawnCurve.Spot> spots) {
      boolean log = figure.look().logY();
      double low = spots.stream().mapToDouble(DrawnCurve.Spot::y).min().orElse(log ? 0.1 : 0);
      double high = spots.stream().mapToDouble(DrawnCurve.Spot::y).max().orElse(1);
      double span = Math.max(high - low, 0.02 * Math.abs(high));
      double lowest = spots.stream().mapToDouble(DrawnCurve.Spot::low).min().orElse(low);
      double highest = spots.stream().mapToDouble(DrawnCurve.Spot::high).max().orElse(high);
      if (log) {
        return spread(lowest > 0 ? lowest : low, Math.min(highest, high * 10), true, 0.04);
      }
      FigureLook.Limits limits =
          spread(Math.max(lowest, low - span), Math.min(highest, high + span), false, 0.04);
      double bottom = low >= 0 ? Math.max(0, limits.low()) : limits.low();
      double top = figure.isShare() && high <= 100 ? Math.min(100, limits.high()) : limits.high();
      return new FigureLook.Limits(bottom, Math.max(top, Math.nextUp(bottom)));
    }

    private static FigureLook.Limits spread(double low, double high, boolean log, double part) {
      if (log) {
        double factor = high > low ? Math.pow(high / low, part) : 2;
        return new FigureLook.Limits(low / factor, high * factor);
      }
      // What differs by less cannot be told apart in a picture.
      boolean apart = high - low > 1e-6 * Math.max(Math.abs(low), Math.abs(high));
      double span = apart ? (high - low) * part : Math.max(Math.abs(high) / 10, 0.5);
      return new FigureLook.Limits(low - (low == 0 && part == 0 ? 0 : span), high + span);
    }
  }

  static PanelAxes of(Content content, Range range, Box cell, String yTitle, String xTitle) {
    double top = content.title().isEmpty() ? 8 : 40;
    double bottom = 34 + 36;
    double height = Math.max(60, cell.height() - top - bottom);
    Ticks y = Ticks.of(range.bottom(), range.top(), range.logY(), (int) (height / 70));
    double numbers = y.labels().stream().mapToDouble(NUMBERS::width).max().orElse(0);
    double left = numbers + 12 + (yTitle.isEmpty() ? 4 : 36);
    double width = Math.max(60, cell.width() - left - 16);
    Ticks x = Ticks.of(range.left(), range.right(), range.logX(), (int) (width / 110));
    double last = x.labels().isEmpty() ? 0 : NUMBERS.width(x.labels().getLast()) / 2;
    double over =
        last - 16 - width * (1 - x.share(x.at().isEmpty() ? range.left() : x.at().getLast()));
    width -= Math.max(0, over);
    return new PanelAxes(
        content, new Box(cell.x() + left, cell.y() + top, width, height), x, y, yTitle, xTitle);
  }

  private double across(double value) {
    return plot.x() + plot.width() * x.share(value);
  }

  private double down(double value) {
    return plot.y() + plot.height() * (1 - y.share(value));
  }

  void draw(Sheet sheet, Function<String, CurveStyle> styles) {
    drawGrid(sheet);
    sheet.clip(plot.x(), plot.y(), plot.width(), plot.height());
    content.curves().forEach(curve -> drawBands(sheet, curve, styles.apply(curve.label())));
    content.curves().forEach(curve -> drawLine(sheet, curve, styles.apply(curve.label())));
    sheet.unclip();
    sheet.frame(plot.x(), plot.y(), plot.width(), plot.height(), FRAME);
    content.curves().forEach(curve -> drawMarks(sheet, curve, styles.apply(curve.label())));
  }

  private void drawGrid(Sheet sheet) {
    double bottom = plot.y() + plot.height();
    for (int i = 0; i < x.at().size(); i++) {
      double at = across(x.at().get(i));
      sheet.line(at, plot.y(), at, bottom, GRID);
      sheet.text(x.labels().get(i), at, bottom + 27, Anchor.MIDDLE, NUMBERS, Chart.INK);
    }
    for (int i = 0; i < y.at().size(); i++) {
      double at = down(y.at().get(i));
      sheet.line(plot.x(), at, plot.x() + plot.width(), at, GRID);
      sheet.text(y.labels().get(i), plot.x() - 9, at + 8, Anchor.END, NUMBERS, Chart.INK);
    }
    double middle = plot.x() + plot.width() / 2;
    sheet.text(xTitle, middle, bottom + 60, Anchor.MIDDLE, TITLES, Chart.INK);
    if (!yTitle.isEmpty()) {
      double numbers = y.labels().stream().mapToDouble(NUMBERS::width).max().orElse(0);
      sheet.upwards(
          yTitle, plot.x() - numbers - 22, plot.y() + plot.height() / 2, TITLES, Chart.INK);
    }
    sheet.text(content.title(), middle, plot.y() - 12, Anchor.MIDDLE, TITLES, Chart.INK);
  }

  private List<DrawnCurve.Spot> shown(List<DrawnCurve.Spot> part) {
    return part.stream().filter(spot -> x.canShow(spot.x()) && y.canShow(spot.y())).toList();
  }

  private void drawBands(Sheet sheet, DrawnCurve curve, CurveStyle style) {
    for (List<DrawnCurve.Spot> part : curve.parts()) {
      List<DrawnCurve.Spot> spots = shown(part);
      if (spots.size() < 2 || spots.stream().noneMatch(DrawnCurve.Spot::hasBand)) {
        continue;
      }
      int size = spots.size();
      double[] across = new double[2 * size];
      double[] down = new double[2 * size];
      for (int i = 0; i < size; i++) {
        DrawnCurve.Spot spot = spots.get(i);
        across[i] = across(spot.x());
        across[2 * size - 1 - i] = across[i];
        down[i] = within(down(spot.high()));
        down[2 * size - 1 - i] = within(y.canShow(spot.low()) ? down(spot.low()) : 1e9);
      }
      sheet.fill(across, down, style.pale());
    }
  }

  /** Keeps numbers small enough for any format; what is far outside is clipped anyway. */
  private double within(double down) {
    return Math.clamp(down, plot.y() - 10_000, plot.y() + plot.height() + 10_000);
  }

  private void drawLine(Sheet sheet, DrawnCurve curve, CurveStyle style) {
    for (List<DrawnCurve.Spot> part : curve.parts()) {
      List<DrawnCurve.Spot> spots = shown(part);
      if (spots.size() > 1) {
        sheet.line(
            spots.stream().mapToDouble(spot -> across(spot.x())).toArray(),
            spots.stream().mapToDouble(spot -> within(down(spot.y()))).toArray(),
            style.pen());
      }
    }
  }

  /** A mark at every point of few, and at some of many. */
  private void drawMarks(Sheet sheet, DrawnCurve curve, CurveStyle style) {
    List<DrawnCurve.Spot> spots = shown(curve.spots());
    int every = spots.size() <= MOST_MARKS ? 1 : (spots.size() + FEW_MARKS - 1) / FEW_MARKS;
    for (int i = every / 2; i < spots.size(); i += every) {
      double share = x.share(spots.get(i).x());
      double up = y.share(spots.get(i).y());
      if (share >= -1e-9 && share <= 1 + 1e-9 && up >= -1e-9 && up <= 1 + 1e-9) {
        style.drawMark(sheet, across(spots.get(i).x()), down(spots.get(i).y()));
      }
    }
  }

  /** The place of a box in a corner where it hides neither a line nor a band. */
  Optional<Box> freeCorner(double width, double height) {
    double right = plot.x() + plot.width() - width - 10;
    double bottom = plot.y() + plot.height() - height - 10;
    if (width > 0.62 * plot.width() || height > 0.62 * plot.height()) {
      return Optional.empty();
    }
    List<Box> corners = new ArrayList<>();
    for (boolean east : new boolean[] {true, false}) {
      for (boolean south : new boolean[] {true, false}) {
        corners.add(
            new Box(east ? right : plot.x() + 10, south ? bottom : plot.y() + 10, width, height));
      }
    }
    return corners.stream().filter(this::isFree).findFirst();
  }

  private boolean isFree(Box box) {
    return content.curves().stream()
        .flatMap(curve -> curve.parts().stream())
        .map(this::shown)
        .noneMatch(part -> touches(part, box));
  }

  private boolean touches(List<DrawnCurve.Spot> part, Box box) {
    double left = box.x() - CLEAR;
    double right = box.x() + box.width() + CLEAR;
    for (int i = 0; i < part.size(); i++) {
      DrawnCurve.Spot to = part.get(i);
      DrawnCurve.Spot from = part.get(Math.max(0, i - 1));
      double start = across(from.x());
      double end = across(to.x());
      if (end < left || start > right) {
        continue;
      }
      // The highest and the lowest of the stretch above the box.
      double[] ends =
          start == end
              ? new double[] {1}
              : new double[] {
                Math.clamp((left - start) / (end - start), 0, 1),
                Math.clamp((right - start) / (end - start), 0, 1)
              };
      double highest =
          Arrays.stream(ends)
              .map(t -> between(down(from.high()), down(to.high()), t))
              .min()
              .orElse(0);
      double lowest =
          Arrays.stream(ends).map(t -> between(downOfLow(from), downOfLow(to), t)).max().orElse(0);
      if (lowest > box.y() - CLEAR && highest < box.y() + box.height() + CLEAR) {
        return true;
      }
    }
    return false;
  }

  private double downOfLow(DrawnCurve.Spot spot) {
    return y.canShow(spot.low()) ? down(spot.low()) : plot.y() + plot.height();
  }

  private static double between(double from, double to, double part) {
    return from + part * (to - from);
  }
}

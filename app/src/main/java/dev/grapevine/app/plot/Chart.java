package dev.grapevine.app.plot;

import dev.grapevine.app.drawing.PictureFormat;
import dev.grapevine.app.drawing.Sheet;
import dev.grapevine.app.drawing.Sheet.Anchor;
import dev.grapevine.app.drawing.Typeface;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Draws a figure: one line a curve, a pale band for its 95 % confidence interval. Text is large
 * enough to be read when the figure is one column of a two-column page wide. The legend goes into a
 * corner that no curve touches, else below or beside the curves; the sheet grows with it unless its
 * height is given.
 */
final class Chart {

  /** Of a figure with one pair of axes, in tenths of a millimetre. */
  static final int WIDTH = 840;

  static final int HEIGHT = 580;

  static final Color INK = new Color(0x222222);
  static final Typeface.Size HEAD = new Typeface.Size(25);

  private static final int WIDE = 1740;
  private static final int PANEL_HEIGHT = 440;
  private static final int MARGIN = 14;
  private static final int GAP = 26;
  private static final int MOST_COLUMNS = 4;

  private final Figure figure;
  private final List<String> labels;
  private final List<PanelAxes.Content> panels;
  private final double width;
  private final int columns;
  private final Optional<LegendBox> legend;

  private Chart(Figure figure) {
    this.figure = figure;
    this.labels = figure.labels();
    this.panels =
        figure.panels().stream()
            .map(panel ->
                new PanelAxes.Content(
                    panel.title(),
                    panel.curves().stream()
                        .map(curve -> DrawnCurve.of(curve, axesOf(figure, panel)))
                        .toList()))
            .toList();
    int count = panels.size();
    this.width = 10 * figure.look().width().orElse((count > 1 ? WIDE : WIDTH) / 10.0);
    int fitting = (int) Math.clamp(Math.round(width / 500), 1, MOST_COLUMNS);
    this.columns =
        figure.look().columns() > 0
            ? Math.min(figure.look().columns(), count)
            : evenly(count, fitting);
    boolean silent =
        figure.look().legend() == FigureLook.Legend.NONE
            || labels.size() < 2 && (count == 1 || labels.getFirst().isEmpty());
    this.legend = silent ? Optional.empty() : Optional.of(legendBox());
  }

  /** The figure that a panel's axes follow from: the whole, or the panel where those differ. */
  private static Figure axesOf(Figure figure, Figure.Panel panel) {
    return figure.isMixed() ? figure.only(panel) : figure;
  }

  /** As many columns as give the same number of rows with the fewest empty places. */
  private static int evenly(int count, int fitting) {
    int rows = (count + fitting - 1) / fitting;
    return (count + rows - 1) / rows;
  }

  private LegendBox legendBox() {
    return new LegendBox(labels, figure.look().colors());
  }

  static byte[] draw(Figure figure, PictureFormat format) {
    return new Chart(figure).draw(format);
  }

  private byte[] draw(PictureFormat format) {
    double head = figure.title().isEmpty() ? MARGIN : MARGIN + 34;
    int rows = (panels.size() + columns - 1) / columns;
    double usual = panels.size() == 1 ? HEIGHT : head + rows * (double) PANEL_HEIGHT;
    double given =
        figure.look().height().isPresent() ? 10 * figure.look().height().getAsDouble() : 0;
    boolean inside =
        legend.isPresent() && insideCorner(head, given > 0 ? given : usual).isPresent();
    boolean right = figure.look().legend() == FigureLook.Legend.RIGHT;
    double below = 0;
    double beside = 0;
    if (legend.isPresent() && !inside) {
      if (right) {
        beside = legend.get().width(width / 2) + GAP;
      } else {
        below = legend.get().height(width - 2 * MARGIN) + 10;
      }
    }
    double height = given > 0 ? given : usual + below;
    // A legend must leave room for what it explains, whatever height was given.
    height = Math.max(height, below + head + rows * 160.0);
    if (legend.isPresent() && right) {
      height = Math.max(height, head + legend.get().height(width / 2) + MARGIN);
    }
    Sheet sheet = format.sheet(width, height);
    sheet.text(figure.title(), width / 2, MARGIN + 20, Anchor.MIDDLE, HEAD, INK);
    List<PanelAxes> axes = axes(head, width - beside, height - below);
    axes.forEach(panel -> panel.draw(sheet, this::style));
    if (legend.isPresent()) {
      if (inside) {
        PanelAxes.Box at = insideCorner(head, height).orElseThrow();
        legend.get().drawFramed(sheet, at.x(), at.y());
      } else if (right) {
        legend.get().draw(sheet, width - beside + GAP / 2.0, head + 6, width / 2, 1);
      } else {
        legend.get().drawBelow(sheet, MARGIN, height - below + 2, width - 2 * MARGIN);
      }
    }
    return sheet.finish();
  }

  private CurveStyle style(String label) {
    return CurveStyle.of(labels.indexOf(label), figure.look().colors());
  }

  private Optional<PanelAxes.Box> insideCorner(double head, double height) {
    if (panels.size() > 1 || figure.look().legend() != FigureLook.Legend.AUTO) {
      return Optional.empty();
    }
    LegendBox box = legend.orElseThrow();
    double room = width / 2;
    return axes(head, width, height)
        .getFirst()
        .freeCorner(box.framedWidth(room), box.framedHeight(room));
  }

  private List<PanelAxes> axes(double top, double right, double bottom) {
    int rows = (panels.size() + columns - 1) / columns;
    double cellWidth = (right - MARGIN) / columns;
    double cellHeight = (bottom - top - MARGIN) / rows;
    List<PanelAxes> axes = new ArrayList<>();
    for (int i = 0; i < panels.size(); i++) {
      int row = i / columns;
      int column = i % columns;
      boolean mixed = figure.isMixed();
      Figure shown = axesOf(figure, figure.panels().get(i));
      axes.add(
          PanelAxes.of(
              panels.get(i),
              PanelAxes.Range.of(shown, mixed ? List.of(panels.get(i)) : panels),
              new PanelAxes.Box(
                  MARGIN + column * cellWidth,
                  top + row * cellHeight,
                  cellWidth - (columns > 1 ? 12 : 0),
                  cellHeight),
              mixed || column == 0 ? shown.yTitle() : "",
              mixed || i + columns >= panels.size() ? shown.xTitle() : ""));
    }
    return axes;
  }
}

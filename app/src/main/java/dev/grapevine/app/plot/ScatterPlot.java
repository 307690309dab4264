package dev.grapevine.app.plot;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.app.drawing.Pen;
import dev.grapevine.app.drawing.PictureFormat;
import dev.grapevine.app.drawing.Sheet;
import dev.grapevine.app.drawing.Sheet.Anchor;
import dev.grapevine.app.drawing.Typeface;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Named spots, such as algorithms by their cost and accuracy. Each has its name beside it, in the
 * nearest place that is free, with a thin line to it where that is not quite beside it.
 */
public final class ScatterPlot {

  private static final double WIDTH = 1900;
  private static final double HEIGHT = 1240;
  private static final double LEFT = 110;
  private static final double TOP = 70;
  private static final double RIGHT = 40;
  private static final double BOTTOM = 100;
  private static final double LINE = 24;
  private static final double RADIUS = 8;
  private static final Typeface.Size NAMES = new Typeface.Size(21);
  private static final Typeface.Size NUMBERS = new Typeface.Size(24);
  private static final Pen GRID = Pen.of(new Color(0xE3E3E3), 1.5);

  /**
   * One spot.
   *
   * @param group spots of one group look alike
   * @param bytes above 0
   */
  public record Spot(String name, String group, double bytes, double y) {}

  /** What the axes are. */
  public record Titles(String x, String y) {}

  private record Box(double x, double y, double width, double height) {

    boolean touches(Box other) {
      return x < other.x + other.width
          && other.x < x + width
          && y < other.y + other.height
          && other.y < y + height;
    }
  }

  private record Placed(Spot spot, double x, double y) {}

  private final Ticks across;
  private final Ticks up;
  private final Scale unit;
  private final List<Placed> placed = new ArrayList<>();
  private final Map<String, CurveStyle> styles = new LinkedHashMap<>();
  private final List<Box> taken = new ArrayList<>();

  private ScatterPlot(List<Spot> spots) {
    double largest = spots.stream().mapToDouble(Spot::bytes).max().orElse(1);
    unit = Scale.ofBytes(largest);
    double low = spots.stream().mapToDouble(Spot::bytes).min().orElse(1) / unit.factor();
    double high = largest / unit.factor();
    double bottom = spots.stream().mapToDouble(Spot::y).min().orElse(0);
    double top = spots.stream().mapToDouble(Spot::y).max().orElse(1);
    double margin = Math.max(1, 0.05 * (top - bottom));
    // Names of the dearest need room to their right.
    across = Ticks.of(low / 1.3, high * 2.2, true, 10);
    up = Ticks.of(bottom - margin, top + margin, false, 12);
    for (Spot spot : spots) {
      styles.computeIfAbsent(spot.group(), group -> CurveStyle.of(styles.size(), List.of()));
      double x = LEFT + (WIDTH - LEFT - RIGHT) * across.share(spot.bytes() / unit.factor());
      double y = TOP + (HEIGHT - TOP - BOTTOM) * (1 - up.share(spot.y()));
      placed.add(new Placed(spot, x, y));
      taken.add(new Box(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS));
    }
  }

  /** Writes the picture as PNG and SVG; returns the files, none if there is nothing to show. */
  public static List<Path> write(List<Spot> spots, Titles titles, Path directory, String name) {
    List<Path> written = new ArrayList<>();
    if (spots.isEmpty()) {
      return written;
    }
    try {
      for (PictureFormat format : List.of(PictureFormat.PNG, PictureFormat.SVG)) {
        Path file = directory.resolve(name + "." + format.ending());
        Files.write(file, new ScatterPlot(spots).draw(titles, format.sheet(WIDTH, HEIGHT)));
        written.add(file);
      }
    } catch (IOException e) {
      throw new UserException(
          "cannot write the picture to " + directory + ": " + FileProblem.reason(e), e);
    }
    return written;
  }

  private byte[] draw(Titles titles, Sheet sheet) {
    drawAxes(titles, sheet);
    drawLegend(sheet);
    List<Placed> fromTop = placed.stream().sorted(Comparator.comparingDouble(Placed::y)).toList();
    List<Runnable> names = fromTop.stream().map(spot -> name(spot, sheet)).toList();
    placed.forEach(spot -> style(spot).drawMark(sheet, spot.x(), spot.y()));
    names.forEach(Runnable::run);
    return sheet.finish();
  }

  private CurveStyle style(Placed spot) {
    return styles.computeIfAbsent(
        spot.spot().group(), group -> CurveStyle.of(styles.size(), List.of()));
  }

  private void drawAxes(Titles titles, Sheet sheet) {
    double bottom = HEIGHT - BOTTOM;
    for (int i = 0; i < across.at().size(); i++) {
      double x = LEFT + (WIDTH - LEFT - RIGHT) * across.share(across.at().get(i));
      sheet.line(x, TOP, x, bottom, GRID);
      sheet.text(across.labels().get(i), x, bottom + 32, Anchor.MIDDLE, NUMBERS, Chart.INK);
    }
    for (int i = 0; i < up.at().size(); i++) {
      double y = TOP + (bottom - TOP) * (1 - up.share(up.at().get(i)));
      sheet.line(LEFT, y, WIDTH - RIGHT, y, GRID);
      sheet.text(up.labels().get(i), LEFT - 10, y + 9, Anchor.END, NUMBERS, Chart.INK);
    }
    sheet.frame(LEFT, TOP, WIDTH - LEFT - RIGHT, bottom - TOP, Pen.of(Chart.INK, 2));
    double middle = (LEFT + WIDTH - RIGHT) / 2;
    sheet.text(unit.title(titles.x()), middle, HEIGHT - 22, Anchor.MIDDLE, NUMBERS, Chart.INK);
    sheet.upwards(titles.y(), 34, (TOP + bottom) / 2, NUMBERS, Chart.INK);
  }

  private void drawLegend(Sheet sheet) {
    double x = LEFT + 14;
    for (Map.Entry<String, CurveStyle> group : styles.entrySet()) {
      if (!group.getKey().isEmpty()) {
        group.getValue().drawMark(sheet, x, TOP - 32);
        sheet.text(group.getKey(), x + 16, TOP - 24, Anchor.START, NUMBERS, Chart.INK);
        x += 16 + NUMBERS.width(group.getKey()) + 44;
      }
    }
  }

  /** Finds a place for a name, takes it, and says how to write it there. */
  private Runnable name(Placed spot, Sheet sheet) {
    double width = NAMES.width(spot.spot().name()) + 4;
    Box best = null;
    double cost = Double.POSITIVE_INFINITY;
    for (int step = 0; step < 40; step++) {
      double down = (step % 2 == 0 ? 1 : -1) * (step + 1) / 2 * (LINE / 2);
      for (int out = 0; out < 4; out++) {
        double aside = RADIUS + 5 + 34 * out;
        for (boolean right : new boolean[] {true, false}) {
          Box box =
              new Box(
                  right ? spot.x() + aside : spot.x() - aside - width,
                  spot.y() - LINE / 2 + down,
                  width,
                  LINE);
          double far = Math.abs(down) + 0.8 * 34 * out + (right ? 0 : 6);
          if (far < cost && isInside(box) && taken.stream().noneMatch(box::touches)) {
            best = box;
            cost = far;
          }
        }
      }
    }
    if (best == null) {
      return () -> {};
    }
    Box place = best;
    taken.add(place);
    Color color = style(spot).color().darker();
    return () -> {
      boolean right = place.x() > spot.x();
      double near = right ? place.x() : place.x() + place.width();
      if (Math.abs(near - spot.x()) > RADIUS + 8
          || Math.abs(place.y() + LINE / 2 - spot.y()) > LINE / 2) {
        sheet.line(spot.x(), spot.y(), near, place.y() + LINE / 2, Pen.of(color, 1));
      }
      sheet.text(
          spot.spot().name(),
          right ? place.x() + 2 : place.x() + place.width() - 2,
          place.y() + LINE - 6,
          right ? Anchor.START : Anchor.END,
          NAMES,
          color);
    };
  }

  private static boolean isInside(Box box) {
    return box.x() > LEFT
        && box.x() + box.width() < WIDTH - RIGHT
        && box.y() > TOP
        && box.y() + box.height() < HEIGHT - BOTTOM;
  }
}

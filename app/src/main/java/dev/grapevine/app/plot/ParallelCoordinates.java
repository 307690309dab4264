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
import java.util.List;
import java.util.Locale;

/**
 * What a sweep tried, one line a combination through an upright axis for each key, and what came of
 * it on the last axis; the better, the lighter the line.
 */
public final class ParallelCoordinates {

  private static final double TOP = 84;
  private static final double HEIGHT = 420;
  private static final double BETWEEN = 250;
  private static final double LEFT = 150;
  private static final Typeface.Size TEXT = new Typeface.Size(20);
  private static final int MOST_VALUES = 12;

  /**
   * One combination.
   *
   * @param values of the keys
   * @param result a share of one
   */
  public record Line(List<String> values, double result) {}

  /** An upright axis: where each line crosses it, 0 at the bottom, and its numbers or words. */
  private record Upright(String title, double[] heights, List<String> texts, List<Double> places) {}

  private ParallelCoordinates() {}

  /** Writes {@code parallel.png} and {@code parallel.svg}; returns the files. */
  public static List<Path> write(
      List<String> keys, List<Line> lines, String result, Path directory) {
    List<Path> written = new ArrayList<>();
    try {
      for (PictureFormat format : List.of(PictureFormat.PNG, PictureFormat.SVG)) {
        Path file = directory.resolve("parallel." + format.ending());
        Files.write(file, draw(keys, lines, result, format));
        written.add(file);
      }
    } catch (IOException e) {
      throw new UserException(
          "cannot write the picture of the sweep to " + directory + ": " + FileProblem.reason(e),
          e);
    }
    return written;
  }

  private static byte[] draw(
      List<String> keys, List<Line> lines, String result, PictureFormat format) {
    List<Upright> axes = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      int key = i;
      axes.add(upright(keys.get(i), lines.stream().map(line -> line.values().get(key)).toList()));
    }
    double[] results = lines.stream().mapToDouble(line -> 100 * line.result()).toArray();
    Upright last = numbers(result + " (%)", results, false);
    axes.add(last);
    Sheet sheet = format.sheet(LEFT * 2 + BETWEEN * (axes.size() - 1), TOP + HEIGHT + 40);
    // The worst first, so that the best lie on top.
    lines.reversed().forEach(line -> drawLine(sheet, axes, lines.indexOf(line)));
    for (int i = 0; i < axes.size(); i++) {
      drawAxis(sheet, axes.get(i), LEFT + i * BETWEEN, i);
    }
    return sheet.finish();
  }

  private static void drawLine(Sheet sheet, List<Upright> axes, int line) {
    double[] x = new double[axes.size()];
    double[] y = new double[axes.size()];
    for (int i = 0; i < x.length; i++) {
      x[i] = LEFT + i * BETWEEN;
      y[i] = TOP + HEIGHT * (1 - axes.get(i).heights[line]);
    }
    sheet.line(x, y, Pen.of(HeatMap.color(0.92 * axes.getLast().heights[line]), 3.2));
  }

  private static void drawAxis(Sheet sheet, Upright axis, double x, int index) {
    sheet.line(x, TOP, x, TOP + HEIGHT, Pen.of(Chart.INK, 2));
    // Titles stand on two levels, so that long ones do not touch.
    double level = index % 2 == 0 ? TOP - 52 : TOP - 24;
    sheet.text(axis.title, x, level, Anchor.MIDDLE, TEXT, Chart.INK);
    for (int i = 0; i < axis.texts.size(); i++) {
      double y = TOP + HEIGHT * (1 - axis.places.get(i));
      double width = TEXT.width(axis.texts.get(i));
      sheet.line(x - 5, y, x + 5, y, Pen.of(Chart.INK, 2));
      sheet.rectangle(x + 8, y - 11, width + 6, 22, new Color(255, 255, 255, 200));
      sheet.text(axis.texts.get(i), x + 11, y + 7, Anchor.START, TEXT, Chart.INK);
    }
  }

  private static Upright upright(String key, List<String> values) {
    List<String> distinct = values.stream().distinct().toList();
    boolean numeric = values.stream().allMatch(ParallelCoordinates::isNumber);
    if (numeric && distinct.size() > 1) {
      double[] numbers = values.stream().mapToDouble(Double::parseDouble).toArray();
      double low = min(numbers);
      return numbers(key, numbers, low > 0 && max(numbers) / low >= 20);
    }
    List<String> sorted = distinct.stream().sorted().toList();
    double[] heights =
        values.stream().mapToDouble(value -> place(sorted.indexOf(value), sorted.size())).toArray();
    int every = (sorted.size() + MOST_VALUES - 1) / MOST_VALUES;
    List<String> texts = new ArrayList<>();
    List<Double> places = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i += every) {
      texts.add(sorted.get(i));
      places.add(place(i, sorted.size()));
    }
    return new Upright(key, heights, texts, places);
  }

  private static double place(int index, int count) {
    return (index + 0.5) / count;
  }

  private static boolean isNumber(String text) {
    return text.toLowerCase(Locale.ROOT).matches("[+-]?\\d+(\\.\\d*)?(e[+-]?\\d+)?");
  }

  private static Upright numbers(String title, double[] values, boolean log) {
    double low = min(values);
    double high = Math.max(max(values), Math.nextUp(low) + Math.abs(low) * 1e-9);
    Ticks ticks = Ticks.of(low, high, log, 6);
    double[] heights = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      heights[i] = ticks.share(values[i]);
    }
    return new Upright(
        title, heights, ticks.labels(), ticks.at().stream().map(ticks::share).toList());
  }

  private static double min(double[] values) {
    double least = Double.POSITIVE_INFINITY;
    for (double value : values) {
      least = Math.min(least, value);
    }
    return least;
  }

  private static double max(double[] values) {
    double most = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      most = Math.max(most, value);
    }
    return most;
  }
}

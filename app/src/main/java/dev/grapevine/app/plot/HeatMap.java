package dev.grapevine.app.plot;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.app.drawing.Pen;
import dev.grapevine.app.drawing.PictureFormat;
import dev.grapevine.app.drawing.Sheet;
import dev.grapevine.app.drawing.Sheet.Anchor;
import dev.grapevine.app.drawing.Typeface;
import dev.grapevine.results.MetricColumn;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The accuracy of every node over the rounds as colours: a column a recorded round, a row a node.
 * Where there are more than fit, neighbouring ones are averaged.
 */
final class HeatMap {

  private static final int LEFT = 95;
  private static final int TOP = 20;
  private static final int PLOT_WIDTH = 590;
  private static final int PLOT_HEIGHT = 460;
  private static final int BAR = 26;
  private static final int MOST_COLUMNS = 295;
  private static final int MOST_ROWS = 230;
  private static final int MOST_LABELS = 7;
  private static final Typeface.Size NUMBERS = new Typeface.Size(22);

  /** Viridis, sampled: even steps look even, also in grey. */
  private static final int[] COLORS = {
    0x440154, 0x482878, 0x3E4989, 0x31688E, 0x26828E, 0x1F9E89, 0x35B779, 0x6DCD59, 0xB4DE2C,
    0xFDE725
  };

  private HeatMap() {}

  static List<Path> write(MetricColumn column, Path directory, List<PictureFormat> formats) {
    List<Path> written = new ArrayList<>();
    try {
      Files.createDirectories(directory);
      for (PictureFormat format : formats) {
        Path file = directory.resolve("accuracy-nodes." + format.ending());
        Files.write(file, draw(column, format));
        written.add(file);
      }
      Path data = directory.resolve("accuracy-nodes.csv");
      Files.writeString(data, csv(column));
      written.add(data);
    } catch (IOException e) {
      throw new UserException(
          "cannot write the heat map to " + directory + ": " + FileProblem.reason(e), e);
    }
    return written;
  }

  private static String csv(MetricColumn column) {
    StringBuilder csv = new StringBuilder("round,node,accuracy\n");
    for (int i = 0; i < column.rounds(); i++) {
      int[] nodes = column.nodes(i);
      double[] values = column.values(i);
      for (int j = 0; j < nodes.length; j++) {
        csv.append(column.round(i)).append(',').append(nodes[j]).append(',');
        csv.append(values[j]).append('\n');
      }
    }
    return csv.toString();
  }

  private static byte[] draw(MetricColumn column, PictureFormat format) {
    Sheet sheet = format.sheet(Chart.WIDTH, Chart.HEIGHT);
    double[][] cells = cells(column);
    double low = Double.MAX_VALUE;
    double high = -Double.MAX_VALUE;
    for (double[] row : cells) {
      for (double value : row) {
        low = Double.isNaN(value) ? low : Math.min(low, value);
        high = Double.isNaN(value) ? high : Math.max(high, value);
      }
    }
    sheet.image(picture(cells, low, high), LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT);
    axes(sheet, column);
    bar(sheet, low, high);
    return sheet.finish();
  }

  /** The cells as pixels; as shapes, they would make an SVG of many megabytes. */
  private static BufferedImage picture(double[][] cells, double low, double high) {
    BufferedImage picture = new BufferedImage(PLOT_WIDTH, PLOT_HEIGHT, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < PLOT_HEIGHT; y++) {
      double[] row = cells[y * cells.length / PLOT_HEIGHT];
      for (int x = 0; x < PLOT_WIDTH; x++) {
        double value = row[x * row.length / PLOT_WIDTH];
        picture.setRGB(x, y, color((value - low) / Math.max(1e-12, high - low)).getRGB());
      }
    }
    return picture;
  }

  private static double[][] cells(MetricColumn column) {
    int nodes = nodes(column);
    int rows = Math.min(nodes, MOST_ROWS);
    int columns = Math.min(column.rounds(), MOST_COLUMNS);
    double[][] sums = new double[rows][columns];
    int[][] counts = new int[rows][columns];
    for (int i = 0; i < column.rounds(); i++) {
      int x = (int) ((long) i * columns / column.rounds());
      int[] who = column.nodes(i);
      double[] values = column.values(i);
      for (int j = 0; j < who.length; j++) {
        if (who[j] >= 0) {
          int y = (int) ((long) who[j] * rows / nodes);
          sums[y][x] += values[j];
          counts[y][x]++;
        }
      }
    }
    for (int y = 0; y < rows; y++) {
      for (int x = 0; x < columns; x++) {
        sums[y][x] = counts[y][x] == 0 ? Double.NaN : sums[y][x] / counts[y][x];
      }
    }
    return sums;
  }

  private static int nodes(MetricColumn column) {
    int largest = 0;
    for (int i = 0; i < column.rounds(); i++) {
      int[] nodes = column.nodes(i);
      largest = Math.max(largest, nodes[nodes.length - 1]);
    }
    return largest + 1;
  }

  /** From dark to light. */
  static Color color(double share) {
    if (Double.isNaN(share)) {
      return new Color(0xEEEEEE);
    }
    double place = Math.clamp(share, 0, 1) * (COLORS.length - 1);
    int index = Math.min((int) place, COLORS.length - 2);
    double rest = place - index;
    Color from = new Color(COLORS[index]);
    Color to = new Color(COLORS[index + 1]);
    return new Color(
        (int) Math.round(from.getRed() + rest * (to.getRed() - from.getRed())),
        (int) Math.round(from.getGreen() + rest * (to.getGreen() - from.getGreen())),
        (int) Math.round(from.getBlue() + rest * (to.getBlue() - from.getBlue())));
  }

  private static void axes(Sheet sheet, MetricColumn column) {
    sheet.frame(LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT, Pen.of(new Color(0x666666), 1.4));
    double bottom = TOP + PLOT_HEIGHT + 28;
    for (int index : labelled(column.rounds())) {
      String text = String.valueOf(column.round(index) + 1);
      double at = LEFT + (index + 0.5) * PLOT_WIDTH / column.rounds();
      sheet.text(text, at, bottom, Anchor.MIDDLE, NUMBERS, Chart.INK);
    }
    int nodes = nodes(column);
    for (int node : labelled(nodes)) {
      double at = TOP + (node + 0.5) * PLOT_HEIGHT / nodes + 8;
      sheet.text(String.valueOf(node), LEFT - 10, at, Anchor.END, NUMBERS, Chart.INK);
    }
    double middle = LEFT + PLOT_WIDTH / 2.0;
    sheet.text("Communication rounds", middle, bottom + 38, Anchor.MIDDLE, Chart.HEAD, Chart.INK);
    sheet.upwards("Node", 28, TOP + PLOT_HEIGHT / 2.0, Chart.HEAD, Chart.INK);
  }

  /** Which of so many get a number beside them: a few all, of many the ends and quarters. */
  private static int[] labelled(int count) {
    return count <= MOST_LABELS
        ? IntStream.range(0, count).toArray()
        : IntStream.rangeClosed(0, 4).map(i -> i * (count - 1) / 4).toArray();
  }

  private static void bar(Sheet sheet, double low, double high) {
    double left = LEFT + PLOT_WIDTH + 24.0;
    BufferedImage ramp = new BufferedImage(1, PLOT_HEIGHT, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < PLOT_HEIGHT; y++) {
      ramp.setRGB(0, y, color(1 - (double) y / PLOT_HEIGHT).getRGB());
    }
    sheet.image(ramp, left, TOP, BAR, PLOT_HEIGHT);
    for (int i = 0; i <= 4; i++) {
      String value = String.format(Locale.ROOT, "%.1f", 100 * (low + (high - low) * i / 4));
      double at = TOP + PLOT_HEIGHT - i * PLOT_HEIGHT / 4.0 + (i == 4 ? 16 : i == 0 ? 0 : 8);
      sheet.text(value, left + BAR + 8, at, Anchor.START, NUMBERS, Chart.INK);
    }
    double middle = TOP + PLOT_HEIGHT / 2.0;
    sheet.upwards("Test accuracy (%)", Chart.WIDTH - 12.0, middle, Chart.HEAD, Chart.INK);
  }
}

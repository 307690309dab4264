package dev.grapevine.app.plot;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import dev.grapevine.UserException;
import dev.grapevine.results.MetricColumn;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;

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

  /** Viridis, sampled: even steps look even, also in grey. */
  private static final int[] COLORS = {
    0x440154, 0x482878, 0x3E4989, 0x31688E, 0x26828E, 0x1F9E89, 0x35B779, 0x6DCD59, 0xB4DE2C,
    0xFDE725
  };

  private HeatMap() {}

  static List<Path> write(MetricColumn column, Path directory, List<FigureFiles.Format> formats) {
    List<Path> written = new ArrayList<>();
    try {
      Files.createDirectories(directory);
      for (FigureFiles.Format format : formats) {
        Path file = directory.resolve("accuracy-nodes." + format.name().toLowerCase(Locale.ROOT));
        switch (format) {
          case PNG -> writePng(column, file);
          case SVG -> writeSvg(column, file);
        }
        written.add(file);
      }
      Path data = directory.resolve("accuracy-nodes.csv");
      Files.writeString(data, csv(column));
      written.add(data);
    } catch (IOException e) {
      throw new UserException("cannot write the heat map to " + directory + ": " + e, e);
    }
    return written;
  }

  private static void writePng(MetricColumn column, Path file) throws IOException {
    BufferedImage image = new BufferedImage(Chart.WIDTH, Chart.HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    draw(column, graphics);
    graphics.dispose();
    ImageIO.write(image, "png", file.toFile());
  }

  private static void writeSvg(MetricColumn column, Path file) throws IOException {
    VectorGraphics2D graphics = new VectorGraphics2D();
    draw(column, graphics);
    PageSize size = new PageSize(0, 0, Chart.WIDTH, Chart.HEIGHT);
    try (OutputStream out = Files.newOutputStream(file)) {
      new SVGProcessor().getDocument(graphics.getCommands(), size).writeTo(out);
    }
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

  private static void draw(MetricColumn column, Graphics2D graphics) {
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, Chart.WIDTH, Chart.HEIGHT);
    double[][] cells = cells(column);
    double low = Double.MAX_VALUE;
    double high = -Double.MAX_VALUE;
    for (double[] row : cells) {
      for (double value : row) {
        low = Double.isNaN(value) ? low : Math.min(low, value);
        high = Double.isNaN(value) ? high : Math.max(high, value);
      }
    }
    graphics.drawImage(picture(cells, low, high), LEFT, TOP, null);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    axes(graphics, column);
    bar(graphics, low, high);
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

  private static Color color(double share) {
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

  private static void axes(Graphics2D graphics, MetricColumn column) {
    graphics.setColor(Color.DARK_GRAY);
    graphics.setStroke(new BasicStroke(1));
    graphics.drawRect(LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT);
    graphics.setColor(Color.BLACK);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 22));
    int bottom = TOP + PLOT_HEIGHT + 30;
    for (int index : labelled(column.rounds())) {
      String text = String.valueOf(column.round(index) + 1);
      centred(graphics, text, LEFT + (index + 0.5) * PLOT_WIDTH / column.rounds(), bottom);
    }
    int nodes = nodes(column);
    for (int node : labelled(nodes)) {
      String label = String.valueOf(node);
      int width = graphics.getFontMetrics().stringWidth(label);
      graphics.drawString(
          label, LEFT - 10 - width, (int) (TOP + (node + 0.5) * PLOT_HEIGHT / nodes) + 8);
    }
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 25));
    centred(graphics, "Communication rounds", LEFT + PLOT_WIDTH / 2.0, bottom + 42);
    graphics.rotate(-Math.PI / 2);
    centred(graphics, "Node", -(TOP + PLOT_HEIGHT / 2.0), 28);
    graphics.rotate(Math.PI / 2);
  }

  /** Which of so many get a number beside them: a few all, of many the ends and quarters. */
  private static int[] labelled(int count) {
    return count <= MOST_LABELS
        ? IntStream.range(0, count).toArray()
        : IntStream.rangeClosed(0, 4).map(i -> i * (count - 1) / 4).toArray();
  }

  private static void bar(Graphics2D graphics, double low, double high) {
    int left = LEFT + PLOT_WIDTH + 24;
    for (int y = 0; y < PLOT_HEIGHT; y++) {
      graphics.setColor(color(1 - (double) y / PLOT_HEIGHT));
      graphics.fillRect(left, TOP + y, BAR, 1);
    }
    graphics.setColor(Color.BLACK);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 22));
    for (int i = 0; i <= 4; i++) {
      double value = 100 * (low + (high - low) * i / 4);
      graphics.drawString(
          String.format(Locale.ROOT, "%.1f", value),
          left + BAR + 8,
          TOP + PLOT_HEIGHT - i * PLOT_HEIGHT / 4 + (i == 4 ? 16 : i == 0 ? 0 : 8));
    }
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 25));
    graphics.rotate(-Math.PI / 2);
    centred(graphics, "Test accuracy (%)", -(TOP + PLOT_HEIGHT / 2.0), Chart.WIDTH - 12);
    graphics.rotate(Math.PI / 2);
  }

  private static void centred(Graphics2D graphics, String text, double x, int y) {
    FontMetrics metrics = graphics.getFontMetrics();
    graphics.drawString(text, (int) (x - metrics.stringWidth(text) / 2.0), y);
  }
}

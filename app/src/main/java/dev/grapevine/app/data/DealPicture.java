package dev.grapevine.app.data;

import dev.grapevine.data.DataSet;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.font.FontRenderContext;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;

/**
 * Nodes from left to right, classes from top to bottom. For a few nodes a disc whose area says how
 * many samples, as papers draw it; for many a field whose darkness does.
 */
final class DealPicture {

  private static final int MOST_DISCS = 40;
  private static final int PLOT_WIDTH = 960;
  private static final int MARGIN = 28;
  private static final int TITLE_HEIGHT = 72;
  private static final int AXIS_HEIGHT = 52;
  private static final int LARGEST_CELL = 46;
  private static final Color INK = new Color(0x24, 0x29, 0x2f);
  private static final Color GRID = new Color(0xe4, 0xe7, 0xeb);
  private static final Color DISC = new Color(0x1f, 0x77, 0xb4);

  private static final Font TITLE_FONT = new Font(Font.SANS_SERIF, Font.BOLD, 15);

  private final Deal deal;
  private final DataSet train;
  private final double cellWidth;
  private final double cellHeight;

  private DealPicture(Deal deal, DataSet train) {
    this.deal = deal;
    this.train = train;
    cellWidth = Math.min(LARGEST_CELL, (double) PLOT_WIDTH / deal.nodes());
    cellHeight =
        deal.classes() == 1
            ? LARGEST_CELL
            : Math.clamp(
                600.0 / deal.classes(), 0.5, Math.max(22.0, Math.min(LARGEST_CELL, cellWidth)));
  }

  static BufferedImage draw(Deal deal, DataSet train, String title) {
    return new DealPicture(deal, train).draw(title);
  }

  private BufferedImage draw(String title) {
    int labels = 110;
    int plotWidth = (int) Math.ceil(cellWidth * deal.nodes());
    int plotHeight = (int) Math.ceil(cellHeight * deal.classes());
    int width = Math.max(labels + plotWidth, titleWidth(title)) + 2 * MARGIN;
    int height = TITLE_HEIGHT + plotHeight + AXIS_HEIGHT + MARGIN;
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, width, height);
    graphics.setColor(INK);
    graphics.setFont(TITLE_FONT);
    graphics.drawString(title, MARGIN, 32);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    graphics.drawString(
        "%s: %,d samples"
            .formatted(discs() ? "largest disc" : "darkest field", deal.largestCount()),
        MARGIN,
        52);
    graphics.translate(MARGIN + labels, TITLE_HEIGHT);
    drawClassNames(graphics);
    drawNodeNumbers(graphics, plotWidth, plotHeight);
    drawCells(graphics, plotWidth, plotHeight);
    graphics.dispose();
    return image;
  }

  private static int titleWidth(String title) {
    FontRenderContext screen = new FontRenderContext(null, true, true);
    return (int) Math.ceil(TITLE_FONT.getStringBounds(title, screen).getWidth());
  }

  private boolean discs() {
    return deal.nodes() <= MOST_DISCS && cellHeight >= 8;
  }

  private void drawClassNames(Graphics2D graphics) {
    FontMetrics metrics = graphics.getFontMetrics();
    int every = Math.max(1, (int) Math.ceil(14 / cellHeight));
    for (int label = 0; label < deal.classes(); label += every) {
      String name = train.classes() == 0 ? "samples" : train.className(label);
      int y = (int) ((label + 0.5) * cellHeight + metrics.getAscent() / 2.0 - 1);
      graphics.drawString(name, -8 - metrics.stringWidth(name), y);
    }
  }

  private void drawNodeNumbers(Graphics2D graphics, int plotWidth, int plotHeight) {
    FontMetrics metrics = graphics.getFontMetrics();
    int every = 1;
    for (int step = 0; every * cellWidth < 34 && step < 30; step++) {
      // 1, 2, 5, 10, 20, 50, ...
      every = (step % 3 == 1) ? every / 2 * 5 : every * 2;
    }
    for (int node = 0; node < deal.nodes(); node += every) {
      String number = Integer.toString(node);
      int x = (int) ((node + 0.5) * cellWidth - metrics.stringWidth(number) / 2.0);
      graphics.drawString(number, x, plotHeight + 18);
    }
    graphics.drawString("node", plotWidth / 2 - metrics.stringWidth("node") / 2, plotHeight + 40);
  }

  private void drawCells(Graphics2D graphics, int plotWidth, int plotHeight) {
    int largest = Math.max(1, deal.largestCount());
    boolean discs = discs();
    if (discs) {
      graphics.setColor(GRID);
      for (int label = 0; label < deal.classes(); label++) {
        int y = (int) ((label + 0.5) * cellHeight);
        graphics.drawLine(0, y, plotWidth, y);
      }
    }
    for (int node = 0; node < deal.nodes(); node++) {
      for (int label = 0; label < deal.classes(); label++) {
        double share = (double) deal.counts()[node][label] / largest;
        if (discs) {
          double diameter = Math.sqrt(share) * (Math.min(cellWidth, cellHeight) - 2);
          graphics.setColor(DISC);
          graphics.fill(
              new Ellipse2D.Double(
                  (node + 0.5) * cellWidth - diameter / 2,
                  (label + 0.5) * cellHeight - diameter / 2,
                  diameter,
                  diameter));
        } else {
          graphics.setColor(shade(share));
          graphics.fill(
              new Rectangle2D.Double(
                  node * cellWidth, label * cellHeight, cellWidth + 0.5, cellHeight + 0.5));
        }
      }
    }
    graphics.setColor(INK);
    graphics.setStroke(new BasicStroke(1));
    graphics.drawRect(0, 0, plotWidth, plotHeight);
  }

  /** From white over the disc's colour; the root makes small shares visible. */
  private static Color shade(double share) {
    double strength = Math.sqrt(share);
    return new Color(
        mix(DISC.getRed(), strength),
        mix(DISC.getGreen(), strength),
        mix(DISC.getBlue(), strength));
  }

  private static int mix(int channel, double strength) {
    return (int) Math.round(255 + (channel - 255) * strength);
  }
}

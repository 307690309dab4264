package dev.grapevine.app.data;

import dev.grapevine.data.DataSet;
import dev.grapevine.data.ImageFormat;
import dev.grapevine.engine.Batch;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;

/** The first images of each class, a row per class, as a batch holds them. */
final class SampleSheet {

  private static final int PER_CLASS = 12;
  private static final int MOST_ROWS = 40;
  private static final int SMALLEST_SIDE = 48;
  private static final int GAP = 4;
  private static final int NAMES = 110;

  private SampleSheet() {}

  static BufferedImage draw(DataSet data, ImageFormat format) {
    int scale = Math.max(1, Math.ceilDiv(SMALLEST_SIDE, format.height()));
    int cellWidth = format.width() * scale + GAP;
    int cellHeight = format.height() * scale + GAP;
    int rows = Math.min(data.classes(), MOST_ROWS);
    BufferedImage sheet =
        new BufferedImage(
            NAMES + PER_CLASS * cellWidth + GAP,
            rows * cellHeight + GAP,
            BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = sheet.createGraphics();
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, sheet.getWidth(), sheet.getHeight());
    graphics.setColor(Color.DARK_GRAY);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    for (int label = 0; label < rows; label++) {
      graphics.drawString(data.className(label), 8, label * cellHeight + cellHeight / 2 + 8);
    }
    int[] shown = new int[rows];
    Batch batch = data.batch(1);
    for (int sample = 0; sample < data.size(); sample++) {
      int label = data.label(sample);
      if (label < rows && shown[label] < PER_CLASS) {
        data.read(sample, batch, 0);
        graphics.drawImage(
            picture(batch, format),
            NAMES + shown[label]++ * cellWidth + GAP,
            label * cellHeight + GAP,
            format.width() * scale,
            format.height() * scale,
            null);
      }
    }
    graphics.dispose();
    return sheet;
  }

  private static BufferedImage picture(Batch batch, ImageFormat format) {
    BufferedImage picture =
        new BufferedImage(format.width(), format.height(), BufferedImage.TYPE_INT_RGB);
    int plane = format.width() * format.height();
    for (int y = 0; y < format.height(); y++) {
      for (int x = 0; x < format.width(); x++) {
        int rgb = 0;
        for (int i = 0; i < 3; i++) {
          int channel = Math.min(i, format.channels() - 1);
          float value = batch.inputs()[channel * plane + y * format.width() + x];
          rgb = rgb << 8 | format.denormalise(channel, value);
        }
        picture.setRGB(x, y, rgb);
      }
    }
    return picture;
  }
}

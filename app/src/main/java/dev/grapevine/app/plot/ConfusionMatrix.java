package dev.grapevine.app.plot;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.app.drawing.Pen;
import dev.grapevine.app.drawing.PictureFormat;
import dev.grapevine.app.drawing.Sheet;
import dev.grapevine.app.drawing.Sheet.Anchor;
import dev.grapevine.app.drawing.Typeface;
import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.SavedRun;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which classes a run's models take for which at the end, summed over the nodes: a row a class, a
 * column an answer, shares of the row in percent.
 */
final class ConfusionMatrix {

  private static final Pattern NAME = Pattern.compile("confusion_(\\d{1,4})_(\\d{1,4})");
  private static final double LEFT = 110;
  private static final double TOP = 20;
  private static final double SIZE = 640;
  private static final int MOST_NUMBERED = 12;

  private ConfusionMatrix() {}

  /** Writes the pictures and {@code confusion.csv}; nothing of a run that has not recorded it. */
  static List<Path> write(SavedRun run, Path directory, List<PictureFormat> formats) {
    double[][] counts = counts(run);
    List<Path> written = new ArrayList<>();
    if (counts.length == 0) {
      return written;
    }
    try {
      Files.createDirectories(directory);
      for (PictureFormat format : formats) {
        Path file = directory.resolve("confusion." + format.ending());
        Files.write(file, draw(counts, format));
        written.add(file);
      }
      StringBuilder csv = new StringBuilder("class,answer,samples\n");
      for (int label = 0; label < counts.length; label++) {
        for (int answer = 0; answer < counts.length; answer++) {
          csv.append("%d,%d,%.0f\n".formatted(label, answer, counts[label][answer]));
        }
      }
      Path data = directory.resolve("confusion.csv");
      Files.writeString(data, csv);
      written.add(data);
    } catch (IOException e) {
      throw new UserException(
          "cannot write the confusion matrix to " + directory + ": " + FileProblem.reason(e), e);
    }
    return written;
  }

  private static double[][] counts(SavedRun run) {
    List<Matcher> cells =
        run.metrics().stream().map(NAME::matcher).filter(Matcher::matches).toList();
    int classes = 0;
    int last = 0;
    for (Matcher cell : cells) {
      classes = Math.max(classes, 1 + Math.max(number(cell, 1), number(cell, 2)));
      MetricColumn column = run.metric(cell.group()).orElseThrow();
      last = Math.max(last, column.round(column.rounds() - 1));
    }
    double[][] counts = new double[classes][classes];
    for (Matcher cell : cells) {
      MetricColumn column = run.metric(cell.group()).orElseThrow();
      int index = column.rounds() - 1;
      // What never happened in the last round was not recorded in it.
      if (column.round(index) == last) {
        counts[number(cell, 1)][number(cell, 2)] = Arrays.stream(column.values(index)).sum();
      }
    }
    return counts;
  }

  private static int number(Matcher cell, int group) {
    return Integer.parseInt(cell.group(group));
  }

  private static byte[] draw(double[][] counts, PictureFormat format) {
    int classes = counts.length;
    double cell = SIZE / classes;
    Typeface.Size numbers = new Typeface.Size(Math.min(22, Math.max(9, 0.4 * cell)));
    Sheet sheet = format.sheet(LEFT + SIZE + 20, TOP + SIZE + 80);
    int every = Math.max(1, (int) Math.ceil(24 / cell));
    for (int label = 0; label < classes; label++) {
      double all = Math.max(1, Arrays.stream(counts[label]).sum());
      double y = TOP + label * cell;
      for (int answer = 0; answer < classes; answer++) {
        double share = counts[label][answer] / all;
        double x = LEFT + answer * cell;
        sheet.rectangle(x, y, cell, cell, HeatMap.color(share));
        if (classes <= MOST_NUMBERED && share >= 0.005) {
          sheet.text(
              String.format(Locale.ROOT, "%.0f", 100 * share),
              x + cell / 2,
              y + cell / 2 + 0.36 * numbers.units(),
              Anchor.MIDDLE,
              numbers,
              share > 0.6 ? Chart.INK : Color.WHITE);
        }
      }
      if (label % every == 0) {
        String name = Integer.toString(label);
        double middle = y + cell / 2 + 8;
        double below = TOP + SIZE + 28;
        sheet.text(name, LEFT - 10, middle, Anchor.END, Chart.HEAD, Chart.INK);
        sheet.text(name, LEFT + (label + 0.5) * cell, below, Anchor.MIDDLE, Chart.HEAD, Chart.INK);
      }
    }
    sheet.frame(LEFT, TOP, SIZE, SIZE, Pen.of(new Color(0x666666), 1.4));
    double middle = LEFT + SIZE / 2;
    String title = "Answer (% of the class)";
    sheet.text(title, middle, TOP + SIZE + 64, Anchor.MIDDLE, Chart.HEAD, Chart.INK);
    sheet.upwards("Class", 34, TOP + SIZE / 2, Chart.HEAD, Chart.INK);
    return sheet.finish();
  }
}

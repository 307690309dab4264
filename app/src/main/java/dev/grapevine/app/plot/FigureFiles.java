package dev.grapevine.app.plot;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.app.drawing.PictureFormat;
import dev.grapevine.results.Axis;
import dev.grapevine.results.Curve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes figures and their data. */
final class FigureFiles {

  private FigureFiles() {}

  /** Writes the pictures and {@code name.csv}; returns the files in that order. */
  static List<Path> write(Figure figure, Path directory, List<PictureFormat> formats) {
    List<Path> written = new ArrayList<>();
    try {
      Files.createDirectories(directory);
      for (PictureFormat format : formats) {
        Path file = directory.resolve(figure.name() + "." + format.ending());
        Files.write(file, Chart.draw(figure, format));
        written.add(file);
      }
      Path data = directory.resolve(figure.name() + ".csv");
      Files.writeString(data, csv(figure));
      written.add(data);
    } catch (IOException e) {
      throw new UserException(
          "cannot write the figure "
              + figure.name()
              + " to "
              + directory
              + ": "
              + FileProblem.reason(e),
          e);
    }
    return written;
  }

  /**
   * The figure's numbers, in base units: rounds, seconds, bytes, shares of one. Panels of several
   * metrics or axes are tables of their own, with an empty line between them.
   */
  static String csv(Figure figure) {
    if (figure.isMixed()) {
      StringBuilder all = new StringBuilder();
      figure.panels().forEach(panel -> all.append(csv(figure.only(panel))).append('\n'));
      return all.toString();
    }
    boolean hasRounds = figure.axis() != Axis.PERCENTILES;
    String x = hasRounds ? "round," + figure.axis().name().toLowerCase(Locale.ROOT) : "percentile";
    boolean hasPanels = figure.panels().size() > 1;
    StringBuilder csv = new StringBuilder();
    csv.append(hasPanels ? "panel," : "").append("run,").append(x);
    csv.append(",mean,ci95_low,ci95_high,count\n");
    for (Figure.Panel panel : figure.panels()) {
      String start = hasPanels ? quoted(panel.title()) + "," : "";
      for (Curve curve : panel.curves()) {
        for (Curve.Point point : curve.points()) {
          double half = point.y().confidence95();
          csv.append(start).append(quoted(curve.label())).append(',');
          csv.append(hasRounds ? point.round() + "," : "").append(point.x()).append(',');
          csv.append(point.y().mean()).append(',');
          csv.append(orEmpty(point.y().mean() - half)).append(',');
          csv.append(orEmpty(point.y().mean() + half)).append(',');
          csv.append(point.y().count()).append('\n');
        }
      }
    }
    return csv.toString();
  }

  /** Of a single run or node there is no interval to give. */
  private static String orEmpty(double bound) {
    return Double.isNaN(bound) ? "" : Double.toString(bound);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }
}

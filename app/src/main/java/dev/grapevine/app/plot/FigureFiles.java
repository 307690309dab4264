package dev.grapevine.app.plot;

import dev.grapevine.UserException;
import dev.grapevine.results.Axis;
import dev.grapevine.results.Curve;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;

/** Writes figures and their data. */
final class FigureFiles {

  /** What a figure can be written as. */
  enum Format {
    PNG,
    SVG
  }

  private FigureFiles() {}

  /** Writes the pictures and {@code name.csv}; returns the files in that order. */
  static List<Path> write(Figure figure, Path directory, List<Format> formats) {
    List<Path> written = new ArrayList<>();
    try {
      Files.createDirectories(directory);
      XYChart chart = Chart.of(figure);
      for (Format format : formats) {
        String ending = format.name().toLowerCase(Locale.ROOT);
        Path file = directory.resolve(figure.name() + "." + ending);
        try (OutputStream out = Files.newOutputStream(file)) {
          ChartEncoder.saveChart(chart, out, ending);
        }
        written.add(file);
      }
      Path data = directory.resolve(figure.name() + ".csv");
      Files.writeString(data, csv(figure));
      written.add(data);
    } catch (IOException e) {
      throw new UserException(
          "cannot write the figure " + figure.name() + " to " + directory + ": " + e, e);
    }
    return written;
  }

  /** The figure's numbers, in base units: rounds, seconds, bytes, shares of one. */
  static String csv(Figure figure) {
    boolean hasRounds = figure.axis() != Axis.PERCENTILES;
    String x = hasRounds ? "round," + figure.axis().name().toLowerCase(Locale.ROOT) : "percentile";
    StringBuilder csv = new StringBuilder();
    csv.append("run,").append(x).append(",mean,ci95_low,ci95_high,count\n");
    for (Curve curve : figure.curves()) {
      for (Curve.Point point : curve.points()) {
        double half = point.y().count() > 1 ? point.y().confidence95() : 0;
        csv.append('"').append(curve.label().replace("\"", "\"\"")).append("\",");
        csv.append(hasRounds ? point.round() + "," : "").append(point.x()).append(',');
        csv.append(point.y().mean()).append(',');
        csv.append(point.y().mean() - half).append(',');
        csv.append(point.y().mean() + half).append(',');
        csv.append(point.y().count()).append('\n');
      }
    }
    return csv.toString();
  }
}

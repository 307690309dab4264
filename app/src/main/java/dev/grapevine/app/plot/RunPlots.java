package dev.grapevine.app.plot;

import dev.grapevine.app.drawing.PictureFormat;
import dev.grapevine.results.Axis;
import dev.grapevine.results.Curve;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SeedGroup;
import dev.grapevine.results.SharePercentiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which figures there are of runs. */
public final class RunPlots {

  private RunPlots() {}

  /**
   * Draws what a run shows at its end into its own directory: {@code accuracy.png}, {@code
   * loss.png}, {@code bytes.png} and, where nodes pace themselves, {@code wait.png}, as far as it
   * has the figures for them. Called by {@code run}; returns the pictures.
   */
  public static List<Path> drawInto(SavedRun run) {
    List<SeedGroup> groups = SeedGroup.of(List.of(run));
    List<Path> pictures = new ArrayList<>();
    figure("accuracy", groups, accuracyMetrics(), Axis.ROUNDS)
        .ifPresent(f -> add(pictures, f, run));
    figure("loss", groups, lossMetrics(), Axis.ROUNDS).ifPresent(f -> add(pictures, f, run));
    figure("bytes", groups, List.of(Metrics.BYTES_SENT), Axis.ROUNDS)
        .ifPresent(f -> add(pictures, f, run));
    figure("wait", groups, List.of(Metrics.PACE_WAIT), Axis.ROUNDS)
        .ifPresent(f -> add(pictures, f, run));
    return pictures;
  }

  private static void add(List<Path> pictures, Figure figure, SavedRun run) {
    Path directory = run.directory().path();
    pictures.add(FigureFiles.write(figure, directory, List.of(PictureFormat.PNG)).getFirst());
  }

  static List<String> accuracyMetrics() {
    return List.of(Metrics.TEST_ACCURACY, Metrics.AVERAGE_ACCURACY);
  }

  static List<String> lossMetrics() {
    return List.of(Metrics.TEST_LOSS, Metrics.AVERAGE_LOSS, Metrics.TRAIN_LOSS);
  }

  /** All figures that the groups have the numbers for. */
  static List<Figure> all(List<SeedGroup> groups, List<Axis> axes) {
    List<Figure> figures = new ArrayList<>();
    for (Axis axis : axes) {
      if (axis == Axis.PERCENTILES) {
        shareCounts(groups).ifPresent(figures::add);
        continue;
      }
      figure("accuracy", groups, accuracyMetrics(), axis)
          .ifPresent(figure -> figures.add(named(figure, axis)));
      figure("loss", groups, lossMetrics(), axis)
          .ifPresent(figure -> figures.add(named(figure, axis)));
      for (String metric :
          List.of(
              Metrics.TRAIN_LOSS,
              Metrics.VALIDATION_ACCURACY,
              Metrics.AVERAGE_ACCURACY,
              Metrics.CONSENSUS_DISTANCE)) {
        figure(metric.replace('_', '-'), groups, List.of(metric), axis)
            .ifPresent(figure -> figures.add(named(figure, axis)));
      }
    }
    if (axes.contains(Axis.ROUNDS)) {
      figure("bytes", groups, List.of(Metrics.BYTES_SENT), Axis.ROUNDS)
          .ifPresent(figure -> figures.add(named(figure, Axis.ROUNDS)));
    }
    return figures;
  }

  /** How often coordinates were shared, by percentile, where some run has counted it. */
  static Optional<Figure> shareCounts(List<SeedGroup> groups) {
    return figure("share-counts", groups, List.of(SharePercentiles.METRIC), Axis.PERCENTILES);
  }

  /** The figure of the first of the metrics that some group has; groups without it are left out. */
  static Optional<Figure> figure(
      String name, List<SeedGroup> groups, List<String> metrics, Axis axis) {
    for (String metric : metrics) {
      List<Curve> curves =
          groups.stream()
              .map(group -> group.curve(metric, axis))
              .filter(curve -> !curve.points().isEmpty())
              .toList();
      if (!curves.isEmpty()) {
        String title = curves.size() == 1 ? curves.getFirst().label() : "";
        return Optional.of(Figure.of(name, title, curves));
      }
    }
    return Optional.empty();
  }

  /** The figure, with its axis in its name. */
  static Figure named(Figure figure, Axis axis) {
    String name = figure.name() + "-" + axis.name().toLowerCase(Locale.ROOT);
    return figure.named(name);
  }
}

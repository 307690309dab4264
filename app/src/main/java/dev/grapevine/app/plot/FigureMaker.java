package dev.grapevine.app.plot;

import dev.grapevine.UserException;
import dev.grapevine.results.Axis;
import dev.grapevine.results.Curve;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.RunSelection;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SeedGroup;
import dev.grapevine.settings.Nearest;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/** Reads the runs that settings name, and draws what they ask for. */
final class FigureMaker {

  private static final List<Axis> USUAL =
      List.of(Axis.ROUNDS, Axis.TIME, Axis.BYTES, Axis.PERCENTILES);
  private static final List<Axis> COURSES = List.of(Axis.ROUNDS, Axis.TIME, Axis.BYTES);

  private final FigureSettings settings;
  private final List<SavedRun> results;
  private final List<SeedGroup> groups;

  FigureMaker(FigureSettings settings, PrintWriter err) {
    this.settings = settings;
    RunSelection selection = ReadableRuns.select(settings.runs(), settings.unfinished(), err);
    this.results = selection.runs();
    this.groups = selection.groups();
  }

  /** Returns the files, at least one. */
  List<Path> write() {
    FigureLook look = settings.look();
    Path directory =
        settings
            .out()
            .orElseGet(() ->
                results.size() == 1
                    ? results.getFirst().directory().path().resolve("plots")
                    : Path.of("plots"));
    List<Figure> figures = settings.sideBySide() ? List.of(sideBySide(figures())) : figures();
    if (settings.name().isPresent()) {
      if (figures.size() != 1) {
        throw new UserException(
            "a name is for a single figure, but there are %d; say which by metric and against"
                .formatted(figures.size()));
      }
      figures = List.of(figures.getFirst().named(settings.name().get()));
    }
    List<Path> written = new ArrayList<>();
    figures.stream()
        .map(figure -> settings.panels().map(key -> split(figure, key)).orElse(figure))
        .map(figure -> figure.looking(look))
        .toList()
        .parallelStream()
        .map(figure -> FigureFiles.write(figure, directory, settings.format()))
        .toList()
        .forEach(written::addAll);
    written.addAll(heatMaps(directory));
    if (written.isEmpty()) {
      throw new UserException(
          "there is nothing to draw: none of the runs has been evaluated yet; let them run longer,"
              + " or set evaluation.every");
    }
    return written;
  }

  private List<Figure> figures() {
    List<Axis> axes = settings.against();
    if (axes.contains(Axis.PERCENTILES) && RunPlots.shareCounts(groups).isEmpty()) {
      throw new UserException(
          "how often coordinates were shared was not recorded in any of the runs: set"
              + " sharing.count-shares = true, with a scheme that shares a part of the coordinates,"
              + " and run again");
    }
    if (settings.metric().isEmpty()) {
      return RunPlots.all(groups, axes.isEmpty() ? USUAL : axes);
    }
    List<Figure> figures = new ArrayList<>();
    for (String metric : settings.metric()) {
      for (Axis axis : axes.isEmpty() ? COURSES : axes) {
        figures.add(
            RunPlots.figure(metric.replace('_', '-'), groups, List.of(metric), axis)
                .map(figure -> RunPlots.named(figure, axis))
                .orElseThrow(() -> unknown(metric)));
      }
    }
    return figures;
  }

  private static Figure sideBySide(List<Figure> figures) {
    return new Figure(
        figures.getFirst().name(),
        "",
        figures.stream().map(figure -> figure.panels().getFirst()).toList(),
        FigureLook.USUAL);
  }

  /** One panel for each value of a setting; what a panel is about is left out of its labels. */
  private Figure split(Figure figure, String key) {
    SequencedMap<String, List<Curve>> byValue = new LinkedHashMap<>();
    for (SeedGroup group : groups) {
      String value = group.runs().getFirst().settings().get(key);
      if (value == null) {
        throw unknownSetting(key, group.runs().getFirst());
      }
      figure.curves().stream()
          .filter(curve -> curve.label().equals(group.label()))
          .map(curve ->
              new Curve(
                  without(curve.label(), key, value), curve.metric(), curve.axis(), curve.points()))
          .forEach(byValue.computeIfAbsent(value, v -> new ArrayList<>())::add);
    }
    byValue.values().removeIf(List::isEmpty);
    String shown = shortened(key);
    List<Figure.Panel> panels = new ArrayList<>();
    byValue.forEach((value, curves) -> panels.add(new Figure.Panel(shown + " = " + value, curves)));
    return new Figure(figure.name(), "", panels, figure.look());
  }

  private static String shortened(String key) {
    return key.endsWith(".kind") ? key.substring(0, key.length() - ".kind".length()) : key;
  }

  private static String without(String label, String key, String value) {
    String whole = shortened(key) + "=" + value;
    String part = whole.substring(whole.lastIndexOf('.', whole.indexOf('=')) + 1);
    return label.equals(value)
        ? ""
        : Arrays.stream(label.split(", "))
            .filter(piece -> !piece.equals(whole) && !piece.equals(part))
            .collect(Collectors.joining(", "));
  }

  private static UserException unknownSetting(String key, SavedRun run) {
    return new UserException(
        "%s has no setting %s to make panels of%s"
            .formatted(run.directory().path(), key, Nearest.hint(key, run.settings().keySet())));
  }

  private List<Path> heatMaps(Path directory) {
    List<Path> written = new ArrayList<>();
    if (settings.metric().isEmpty() && settings.name().isEmpty() && results.size() == 1) {
      results
          .getFirst()
          .metric(Metrics.TEST_ACCURACY)
          .filter(column -> column.rounds() > 1 && column.nodes(0).length > 1)
          .ifPresent(column -> written.addAll(HeatMap.write(column, directory, settings.format())));
      written.addAll(ConfusionMatrix.write(results.getFirst(), directory, settings.format()));
    }
    return written;
  }

  private UserException unknown(String metric) {
    return new UserException(
        "no run has the metric "
            + metric
            + " against this axis; there are "
            + String.join(
                ", ",
                groups.stream()
                    .flatMap(group -> group.runs().stream())
                    .flatMap(run -> run.metrics().stream())
                    .distinct()
                    .toList()));
  }
}

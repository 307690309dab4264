package dev.grapevine.app.plot;

import dev.grapevine.UserException;
import dev.grapevine.app.drawing.PictureFormat;
import dev.grapevine.results.Axis;
import dev.grapevine.settings.Binder;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.RawValue;
import dev.grapevine.settings.RawValue.Table;
import dev.grapevine.settings.Registry;
import dev.grapevine.settings.TomlText;
import dev.grapevine.settings.TomlWriter;
import java.awt.Color;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A figure as it is asked for, on the command line or in the table {@code [figure]} of a small file
 * from which it can be made again:
 *
 * <pre>
 * [figure]
 * runs = ["runs/quickstart-sweep"]
 * metric = ["test_accuracy"]
 * against = ["rounds"]
 * labels = ["D-PSGD", "TopK"]
 * format = ["pdf"]
 * </pre>
 */
record FigureSettings(
    @Default("[]") @Doc("run directories, or directories that hold runs") List<Path> runs,
    @Doc("where the files go") Optional<Path> out,
    @Doc("the files' name without ending; for a single figure") Optional<String> name,
    @Default("[]") @Doc("metrics to draw instead of the usual figures") List<String> metric,
    @Default("[]") @Doc("rounds, epochs, time, bytes, percentiles") List<Axis> against,
    @Default("[\"png\", \"svg\"]") @Doc("pdf, svg, png") List<PictureFormat> format,
    @Doc("above the curves") Optional<String> title,
    @Default("[]") @Doc("names of the curves, in their order") List<String> labels,
    @Default("[]") @Doc("numbers of the curves that come first, from 1") List<Integer> order,
    @Default("[]") @Doc("colours of the curves, in their order, as #0072B2") List<String> colors,
    @Doc("in millimetres") OptionalDouble width,
    @Doc("in millimetres, legend included") OptionalDouble height,
    @Default("[]") @Doc("axes that are logarithmic: x, y") List<String> log,
    @Default("[]") @Doc("ends of the x axis, as shown on it") List<Double> xLimits,
    @Default("[]") @Doc("ends of the y axis, as shown on it") List<Double> yLimits,
    @Default("auto") @Doc("auto, below, right, none") FigureLook.Legend legend,
    @Doc("whether confidence intervals are drawn; unless given, for up to eight curves a panel")
        Optional<Boolean> bands,
    @Doc("setting for each of whose values there is a small figure of its own")
        Optional<String> panels,
    @Default("false") @Doc("whether all metrics and axes stand in one picture, side by side")
        boolean sideBySide,
    @Default("0") @Doc("columns of small figures; 0 for what looks well") int columns,
    @Default("false") @Doc("whether runs count that did not get to their end") boolean unfinished) {

  private static final String TABLE = "figure";

  /** Whether a path is a file of figures and not a run. */
  static boolean isFile(Path path) {
    return path.toString().endsWith(".toml") && !Files.isDirectory(path);
  }

  /** The figures of a file: one table {@code [figure]}, or several {@code [[figure]]}. */
  static List<FigureSettings> read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (MalformedInputException e) {
      throw new UserException(file + " is not text in UTF-8", e);
    } catch (IOException e) {
      throw new UserException("cannot read " + file + ": check the path", e);
    }
    Table root = TomlText.parse(file.toString(), text);
    RawValue figures =
        root.get(TABLE)
            .orElseThrow(() ->
                new UserException(
                    file
                        + " has no table [figure]; give run directories, or a file with [figure]"
                        + " and runs = [\"...\"] in it"));
    Path parent = file.toAbsolutePath().getParent();
    Binder binder = new Binder(Registry.load(), parent == null ? Path.of("") : parent);
    List<FigureSettings> read = new ArrayList<>();
    List<RawValue> tables =
        figures instanceof RawValue.Sequence sequence ? sequence.items() : List.of(figures);
    for (RawValue value : tables) {
      if (!(value instanceof Table table)) {
        throw value.place().mistake("figure must be a table: write [figure] above its settings");
      }
      FigureSettings settings = binder.bind(FigureSettings.class, table, TABLE);
      if (settings.runs.isEmpty()) {
        throw table.place().mistake("figure.runs is missing: say which runs to draw");
      }
      try {
        settings.look();
      } catch (UserException e) {
        throw table.place().mistake(String.valueOf(e.getMessage()));
      }
      read.add(settings);
    }
    return read;
  }

  FigureLook look() {
    if (sideBySide && panels.isPresent()) {
      throw new UserException("panels are either of a setting or side by side, not both");
    }
    return new FigureLook(
        title,
        labels,
        order,
        colors.stream().map(FigureSettings::color).toList(),
        width,
        height,
        isLog("x"),
        isLog("y"),
        limits("x", xLimits),
        limits("y", yLimits),
        legend,
        bands,
        columns);
  }

  private boolean isLog(String axis) {
    for (String given : log) {
      if (!given.equals("x") && !given.equals("y")) {
        throw new UserException("only the axes x and y can be logarithmic: log=" + given);
      }
    }
    return log.contains(axis);
  }

  private static Optional<FigureLook.Limits> limits(String axis, List<Double> ends) {
    if (!ends.isEmpty() && ends.size() != 2) {
      throw new UserException(
          "limits of the %s axis are two numbers, its lower and its upper end: %s"
              .formatted(axis, ends));
    }
    return ends.isEmpty()
        ? Optional.empty()
        : Optional.of(new FigureLook.Limits(ends.getFirst(), ends.getLast()));
  }

  private static Color color(String text) {
    String hex = text.startsWith("#") ? text.substring(1) : text;
    if (!hex.matches("[0-9a-fA-F]{6}")) {
      throw new UserException("a colour is written as #0072B2, but one is " + text);
    }
    return new Color(Integer.parseInt(hex, 16));
  }

  /** The file that gives this figure again; paths are relative to where it will stand. */
  String toToml(Path folder) {
    StringBuilder toml = new StringBuilder("# Made again by: grapevine plot THIS-FILE\n[figure]\n");
    for (Map.Entry<String, String> entry : TomlWriter.keys(relativeTo(folder)).entrySet()) {
      if (!entry.getValue().equals("[]")) {
        toml.append(entry.getKey()).append(" = ").append(entry.getValue()).append('\n');
      }
    }
    return toml.toString();
  }

  private FigureSettings relativeTo(Path folder) {
    Path from = folder.toAbsolutePath().normalize();
    return new FigureSettings(
        runs.stream().map(run -> from.relativize(run.toAbsolutePath().normalize())).toList(),
        out.map(path -> from.relativize(path.toAbsolutePath().normalize())),
        name,
        metric,
        against,
        format,
        title,
        labels,
        order,
        colors,
        width,
        height,
        log,
        xLimits,
        yLimits,
        legend,
        bands,
        panels,
        sideBySide,
        columns,
        unfinished);
  }
}

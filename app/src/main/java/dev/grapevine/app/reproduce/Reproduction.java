package dev.grapevine.app.reproduce;

import dev.grapevine.UserException;
import dev.grapevine.app.compare.Table;
import dev.grapevine.app.console.Texts;
import dev.grapevine.app.plot.FigureDrawing;
import dev.grapevine.app.sweep.MissingRuns;
import dev.grapevine.app.sweep.PointDirectory;
import dev.grapevine.data.DataContext;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Sweep;
import dev.grapevine.results.AtomicFiles;
import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SeedGroup;
import dev.grapevine.results.Spread;
import dev.grapevine.settings.RawValue;
import dev.grapevine.settings.TomlWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A preset at a scale, with the directory of its runs: what is done of it, and what came out.
 *
 * @param directory where its runs, figures and tables go
 */
record Reproduction(Preset preset, Scale scale, Path directory, List<PointDirectory> points) {

  private static final long FIRST_SEED = 90;

  /**
   * Reads the experiments.
   *
   * @param runs the folder that holds those of all presets
   * @param seeds how many, from 90 on; 0 for those of the file
   * @param assignments keys of the file that are set anew; they are part of the directory's name,
   *     so that nothing that was changed passes for the preset
   * @throws UserException where this version cannot run them
   */
  static Reproduction of(
      Preset preset, Scale scale, Path runs, int seeds, List<String> assignments) {
    Experiment experiment = Experiment.read(preset.experiments(scale), assignments);
    if (seeds > 0) {
      String list =
          LongStream.range(FIRST_SEED, FIRST_SEED + seeds)
              .mapToObj(Long::toString)
              .collect(Collectors.joining(", ", "[", "]"));
      experiment = experiment.with("sweep.seeds", list);
    }
    String changes =
        assignments.stream()
            .map(assignment -> "+" + assignment.replaceAll("[^A-Za-z0-9._=-]+", ""))
            .collect(Collectors.joining());
    Path directory = runs.resolve(preset.id() + "-" + scale.word() + changes);
    return new Reproduction(
        preset,
        scale,
        directory,
        Sweep.points(experiment).stream()
            .map(point -> PointDirectory.of(point, directory))
            .toList());
  }

  List<Experiment> experiments() {
    return points.stream().map(point -> point.point().experiment()).toList();
  }

  int done() {
    return (int) points.stream().filter(PointDirectory::isDone).count();
  }

  /** The first data set that is not on this machine. */
  Optional<String> missingData(Path dataDirectory) {
    return experiments().stream()
        .filter(experiment ->
            !experiment
                .data()
                .create(new DataContext(dataDirectory, experiment.seed(), experiment.directory()))
                .present())
        .map(experiment -> experiment.data().name())
        .findFirst();
  }

  /** Runs what is not done. */
  MissingRuns.Ended run(Path dataDirectory, List<String> command) {
    return new MissingRuns(directory, 1, dataDirectory, command).of(points);
  }

  /** The runs that are done, by the name of their curve, in the order of the file. */
  SequencedMap<String, SeedGroup> curves() {
    SequencedMap<String, List<SavedRun>> runs = new LinkedHashMap<>();
    for (PointDirectory point : points) {
      if (point.isDone()) {
        runs.computeIfAbsent(point.point().experiment().name(), name -> new ArrayList<>())
            .add(SavedRun.read(point.path()));
      }
    }
    SequencedMap<String, SeedGroup> curves = new LinkedHashMap<>();
    runs.forEach((name, seeds) -> curves.put(name, new SeedGroup(name, seeds)));
    return curves;
  }

  /** All claims that make sense at the scale, each with what was measured. */
  List<Measured> claims(Map<String, SeedGroup> curves) {
    List<Measured> measured = new ArrayList<>();
    for (Claim claim : preset.about().claims()) {
      if (claim.isFor(scale)) {
        measured.add(
            Measured.of(claim, curve(claim.first(), curves), curve(claim.second(), curves)));
      }
    }
    return measured;
  }

  private SeedGroup curve(String published, Map<String, SeedGroup> curves) {
    String name = preset.curve(published, scale);
    SeedGroup found = curves.get(name);
    if (found != null) {
      return found;
    }
    List<String> names = experiments().stream().map(Experiment::name).distinct().toList();
    if (!names.contains(name)) {
      throw new UserException(
          "a claim of %s is about \"%s\", but there are only: %s"
              .formatted(preset.id(), name, String.join(", ", names)));
    }
    return new SeedGroup(name, List.of());
  }

  /** Verdicts first, then what they rest on. */
  static Table claimTable(List<Measured> claims) {
    return new Table(
        List.of("claim", "verdict", "bound", "measured", "published"),
        claims.stream()
            .map(measured ->
                List.of(
                    measured.claim().says(),
                    measured.verdict().words(),
                    measured.claim().bound(),
                    measured.text(),
                    measured.claim().published()))
            .toList());
  }

  /**
   * As the thesis makes its tables: the highest mean over the nodes and their standard deviation
   * then, both in the mean over the seeds; with the interval over the seeds, and what was
   * published.
   */
  Table results(Map<String, SeedGroup> curves) {
    Map<String, Preset.Published> published =
        preset.about().published().stream()
            .collect(Collectors.toMap(given -> preset.curve(given.name(), scale), given -> given));
    List<List<String>> rows = new ArrayList<>();
    curves.forEach((name, group) -> {
      Spread seeds = Spread.of(group.highest(Metrics.TEST_ACCURACY));
      double deviation =
          Spread.of(group.runs().stream().mapToDouble(Reproduction::deviationAtHighest).toArray())
              .mean();
      Preset.Published given = published.get(name);
      rows.add(
          List.of(
              name,
              percent(seeds.mean()),
              percent(deviation),
              seeds.count() < 2 ? "–" : "± " + percent(seeds.confidence95()),
              Integer.toString(seeds.count()),
              Texts.bytes(Spread.of(group.last(Metrics.BYTES_SENT)).mean()),
              given == null ? "–" : number(given.accuracy()),
              given == null || given.deviation().isEmpty()
                  ? "–"
                  : number(given.deviation().getAsDouble())));
    });
    return new Table(
        List.of(
            "curve",
            "avg %",
            "std",
            "95 % over seeds",
            "seeds",
            "sent per node",
            "published avg %",
            "published std"),
        rows);
  }

  private static double deviationAtHighest(SavedRun run) {
    MetricColumn column = run.metric(Metrics.TEST_ACCURACY).orElse(null);
    Spread highest = Spread.EMPTY;
    for (int i = 0; column != null && i < column.rounds(); i++) {
      Spread here = column.spread(i);
      highest = highest.count() == 0 || here.mean() > highest.mean() ? here : highest;
    }
    return highest.deviation();
  }

  private static String percent(double share) {
    return Double.isNaN(share) ? "–" : number(100 * share);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String raw(RawValue.Entry entry) {
    return TomlWriter.raw(entry.value());
  }

  /** Those of a figure's metrics that the runs have; a scale may leave some out. */
  private String recorded(RawValue metrics) {
    Set<String> known =
        points.stream()
            .filter(PointDirectory::isDone)
            .flatMap(point -> SavedRun.read(point.path()).metrics().stream())
            .collect(Collectors.toSet());
    return metrics instanceof RawValue.Sequence sequence
        ? sequence.items().stream()
            .filter(item -> !(item instanceof RawValue.Text text) || known.contains(text.text()))
            .map(TomlWriter::raw)
            .collect(Collectors.joining(", ", "[", "]"))
        : TomlWriter.raw(metrics);
  }

  /** Draws the figures as the document does; the file that asks for them stays beside them. */
  List<Path> draw(PrintWriter err) {
    if (preset.figures().isEmpty()) {
      return List.of();
    }
    String runs =
        points.stream()
            .filter(PointDirectory::isDone)
            .map(point -> TomlWriter.text(point.path().getFileName().toString()))
            .collect(Collectors.joining(", ", "[", "]"));
    StringBuilder text = new StringBuilder("# Drawn again by: grapevine plot THIS-FILE\n");
    for (RawValue.Table figure : preset.figures()) {
      text.append("\n[[figure]]\nruns = ").append(runs).append("\nout = \".\"\n");
      figure
          .entries()
          .forEach((key, entry) ->
              text.append(key)
                  .append(" = ")
                  .append(key.equals("metric") ? recorded(entry.value()) : raw(entry))
                  .append('\n'));
    }
    Path file = directory.resolve("figure.toml");
    AtomicFiles.write(file, text.toString());
    return FigureDrawing.of(file, err);
  }
}

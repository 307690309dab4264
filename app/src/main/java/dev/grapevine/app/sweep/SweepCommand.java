package dev.grapevine.app.sweep;

import dev.grapevine.UserException;
import dev.grapevine.app.DataFolder;
import dev.grapevine.app.ExperimentFile;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.compare.Table;
import dev.grapevine.app.console.Interruption;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Search;
import dev.grapevine.experiment.Sweep;
import dev.grapevine.results.AtomicFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs all experiments of a sweep. */
@Command(
    name = "sweep",
    description = {
      "Run all experiments of the table [sweep], or search among them, and rank them.",
      "What is done already is not run again: after a kill or a change, give the same command."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 all done, 1 some failed, 2 a mistake in the command or the file, 130"
          + " interrupted.",
      "",
      "Example:  grapevine sweep examples/thesis-grid.toml"
    })
public final class SweepCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ExperimentFile file = new ExperimentFile();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go, one folder a run (default: runs/NAME-sweep).")
  private @Nullable Path directory;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "1",
      description = "Runs at a time (default 1, because each uses all cores).")
  private int parallel;

  @Option(
      names = "--point",
      paramLabel = "N",
      description = "Run the N-th experiment alone, from 0, and print no table; for engines.")
  private @Nullable Integer only;

  @Mixin private ElsewhereOptions elsewhere = new ElsewhereOptions();

  @Mixin private DataFolder data = new DataFolder();

  @Override
  public Integer call() {
    if (parallel < 1) {
      throw new UserException("--parallel must be at least 1: parallel=" + parallel);
    }
    Experiment experiment = file.read();
    if (!Sweep.isIn(experiment)) {
      throw new UserException(
          "%s has no table [sweep]; add one with the values to try, or use: grapevine run %s"
              .formatted(file.path(), file.path()));
    }
    Path sweep =
        directory == null ? Path.of("runs").resolve(experiment.name() + "-sweep") : directory;
    List<PointDirectory> points = new ArrayList<>();
    Optional<Search> search = Search.of(experiment);
    SweepRunner.Report report;
    if (search.isPresent() && (only != null || elsewhere.isChosen())) {
      throw new UserException(
          "%s has a search, which decides by results what to try next; --on and --point are for"
                  .formatted(file.path())
              + " sweeps without one");
    }
    if (only != null) {
      return runOne(directories(Sweep.points(experiment), sweep), only, sweep);
    }
    if (elsewhere.isChosen()) {
      points.addAll(directories(Sweep.points(experiment), sweep));
      report = runElsewhere(experiment, points, sweep);
      if (points.stream().noneMatch(PointDirectory::isDone)) {
        return report.failures().isEmpty() ? 0 : 1;
      }
    } else if (search.isPresent()) {
      report = search(search.get(), points, sweep);
    } else {
      points.addAll(directories(Sweep.points(experiment), sweep));
      report = runMissing(points, sweep);
    }
    print(points, sweep, report);
    return report.interrupted() ? Interruption.EXIT_CODE : report.failures().isEmpty() ? 0 : 1;
  }

  private int runOne(List<PointDirectory> points, int number, Path sweep) {
    if (number < 0 || number >= points.size()) {
      throw new UserException(
          "there are %d experiments, numbered from 0: point=%d".formatted(points.size(), number));
    }
    SweepRunner.Report report = runMissing(List.of(points.get(number)), sweep);
    report.failures().values().forEach(spec.commandLine().getErr()::println);
    return report.interrupted() ? Interruption.EXIT_CODE : report.failures().isEmpty() ? 0 : 1;
  }

  private SweepRunner.Report runElsewhere(
      Experiment experiment, List<PointDirectory> points, Path sweep) {
    MissingRuns.createDirectory(sweep);
    Map<Integer, PointDirectory> missing = new LinkedHashMap<>();
    for (int i = 0; i < points.size(); i++) {
      if (!points.get(i).isDone()) {
        missing.put(i, points.get(i));
      }
    }
    List<String> options = new ArrayList<>();
    file.assignments().forEach(assignment -> options.addAll(List.of("--set", assignment)));
    options.addAll(List.of("--out", sweep.toString(), "--data-dir", data.path().toString()));
    return elsewhere.start(
        new ElsewhereOptions.Work(experiment.name() + " sweep", file.path(), options, parallel),
        missing,
        points.size(),
        sweep,
        spec.commandLine().getOut());
  }

  private static List<PointDirectory> directories(List<Sweep.Point> points, Path sweep) {
    return points.stream().map(point -> PointDirectory.of(point, sweep)).toList();
  }

  /** Asks what to try next, tries it, and so on; adds all that was tried to {@code points}. */
  private SweepRunner.Report search(Search search, List<PointDirectory> points, Path sweep) {
    SearchMethod method = SearchMethod.of(search);
    List<SearchMethod.Judged> judged = new ArrayList<>();
    Map<PointDirectory, String> failures = new LinkedHashMap<>();
    while (true) {
      List<SearchMethod.Trial> trials = method.next(List.copyOf(judged));
      List<List<PointDirectory>> places =
          trials.stream()
              .map(trial -> directories(search.points(trial.place(), trial.rounds()), sweep))
              .toList();
      List<PointDirectory> batch = places.stream().flatMap(List::stream).distinct().toList();
      batch.stream().filter(point -> !points.contains(point)).forEach(points::add);
      if (trials.isEmpty()) {
        return new SweepRunner.Report(failures, false);
      }
      SweepRunner.Report report = runMissing(batch, sweep);
      failures.putAll(report.failures());
      if (report.interrupted()) {
        return new SweepRunner.Report(failures, true);
      }
      for (int i = 0; i < trials.size(); i++) {
        judged.add(new SearchMethod.Judged(trials.get(i), SweepTable.accuracy(places.get(i))));
      }
    }
  }

  private SweepRunner.Report runMissing(List<PointDirectory> points, Path sweep) {
    return new MissingRuns(sweep, parallel, data.path(), commandLine()).run(points);
  }

  private void print(List<PointDirectory> points, Path sweep, SweepRunner.Report report) {
    PrintWriter out = spec.commandLine().getOut();
    SweepTable table = SweepTable.of(points);
    List<Path> pictures = table.draw(sweep);
    AtomicFiles.write(sweep.resolve("results.csv"), table.numbers().in(Table.Format.CSV));
    out.print(table.text().in(Table.Format.TEXT));
    out.println();
    out.println(
        "Sorted by %s: mean over nodes, then seeds, ± half the 95 %% confidence interval."
            .formatted(table.judge()));
    report
        .failures()
        .forEach((point, reason) -> out.println("failed: " + point.label() + ": " + reason));
    long left = points.stream().filter(point -> !point.isDone()).count();
    if (left > 0) {
      out.println(
          "%d of %d runs are not done; the same command runs them".formatted(left, points.size()));
    }
    out.println("%-14s%s".formatted("results", sweep));
    out.println("%-14s%s".formatted("table", sweep.resolve("results.csv")));
    pictures.forEach(picture -> out.println("%-14s%s".formatted("picture", picture)));
    out.flush();
  }

  private List<String> commandLine() {
    List<String> command = new ArrayList<>(List.of("grapevine"));
    command.addAll(spec.commandLine().getParent().getParseResult().originalArgs());
    return command;
  }
}

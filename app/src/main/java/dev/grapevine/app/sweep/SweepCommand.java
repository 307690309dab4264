package dev.grapevine.app.sweep;

import dev.grapevine.UserException;
import dev.grapevine.app.DataFolder;
import dev.grapevine.app.ExperimentFile;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.compare.Table;
import dev.grapevine.app.run.Interruption;
import dev.grapevine.app.run.ProgressLine;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Sweep;
import dev.grapevine.results.AtomicFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
      "Run all experiments of the table [sweep] and rank them.",
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
    List<PointDirectory> points =
        Sweep.points(experiment).stream().map(point -> PointDirectory.of(point, sweep)).toList();
    SweepRunner.Report report = runMissing(points, sweep);
    print(points, sweep, report);
    return report.interrupted() ? Interruption.EXIT_CODE : report.failures().isEmpty() ? 0 : 1;
  }

  private SweepRunner.Report runMissing(List<PointDirectory> points, Path sweep) {
    List<PointDirectory> missing = points.stream().filter(point -> !point.isDone()).toList();
    if (parallel > 1) {
      MemoryNeed.check(
          missing.stream().map(point -> point.point().experiment()).toList(),
          parallel,
          Runtime.getRuntime().maxMemory(),
          data.path());
    }
    try {
      Files.createDirectories(sweep);
    } catch (IOException e) {
      throw new UserException("cannot create the directory " + sweep + ": " + e.getMessage(), e);
    }
    try (ProgressLine line = new ProgressLine();
        Interruption interruption = Interruption.ofThisThread()) {
      SweepProgress progress =
          new SweepProgress(line, points.size() - missing.size(), points.size());
      return new SweepRunner(missing, parallel, data.path(), commandLine()).run(progress::of);
    }
  }

  private void print(List<PointDirectory> points, Path sweep, SweepRunner.Report report) {
    PrintWriter out = spec.commandLine().getOut();
    SweepTable table = SweepTable.of(points);
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
    out.flush();
  }

  private List<String> commandLine() {
    List<String> command = new ArrayList<>(List.of("grapevine"));
    command.addAll(spec.commandLine().getParent().getParseResult().originalArgs());
    return command;
  }
}

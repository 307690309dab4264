package dev.grapevine.app.zoo;

import dev.grapevine.UserException;
import dev.grapevine.app.DataFolder;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.compare.Table;
import dev.grapevine.app.console.Interruption;
import dev.grapevine.app.console.Texts;
import dev.grapevine.app.plot.ScatterPlot;
import dev.grapevine.app.sweep.MissingRuns;
import dev.grapevine.app.sweep.PointDirectory;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.AtomicFiles;
import dev.grapevine.settings.DataSize;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs all algorithms on one experiment and ranks them. */
@Command(
    name = "zoo",
    description = {
      "Run all algorithms of a file on one experiment and rank them.",
      "By accuracy at equal rounds, equal bytes and equal time, as a table and a picture. What is done"
          + " already is not run again: after a kill or a change, give the same command."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 all done, 1 some failed, 2 a mistake in the command or the file, 130"
          + " interrupted.",
      "",
      "Example:  grapevine zoo --only D-PSGD,QG-DSGDm,JWINS++ --seeds 3"
    })
public final class ZooCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "An experiment with [sweep] mode = \"rows\" (default: examples/zoo.toml of Grapevine).")
  private @Nullable Path file;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Set any key of the file anew, for all rows that do not set it themselves.")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Only these rows, by their name, group, protocol or sharing scheme.")
  private List<String> only = List.of();

  @Option(
      names = "--cross",
      description = "Also every protocol with every sharing scheme of the file that goes with it.")
  private boolean cross;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seeds of each row: the file's and those after it (default 1).")
  private int seeds;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      description =
          "What a node may send for the ranking at equal bytes, such as 20MB (default: a quarter of"
              + " what the first row sends).")
  private @Nullable String bytes;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "The time for the ranking at equal time (default: a quarter of what the first row takes).")
  private @Nullable Double seconds;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go, one folder a run (default: runs/NAME-zoo).")
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
    if (parallel < 1 || seeds < 1) {
      throw new UserException(
          "--parallel and --seeds must be at least 1: parallel=%d, seeds=%d"
              .formatted(parallel, seeds));
    }
    if (seconds != null && !(seconds > 0)) {
      throw new UserException("--seconds must be above 0: seconds=" + seconds);
    }
    double most = bytes == null ? Double.NaN : size(bytes);
    Experiment experiment = Experiment.read(file == null ? shipped() : file, assignments);
    Path zoo = directory == null ? Path.of("runs").resolve(experiment.name() + "-zoo") : directory;
    Zoo animals = Zoo.of(experiment, only, cross, seeds, data.path());
    List<PointDirectory> points =
        animals.points().stream().map(point -> PointDirectory.of(point, zoo)).toList();
    List<String> command = new ArrayList<>(List.of("grapevine"));
    command.addAll(spec.commandLine().getParent().getParseResult().originalArgs());
    MissingRuns.Ended ended = new MissingRuns(zoo, parallel, data.path(), command).of(points);
    Ranking ranking = Ranking.of(animals, points, most, seconds == null ? Double.NaN : seconds);
    print(animals, ranking, ended, points, zoo);
    return ended.interrupted() ? Interruption.EXIT_CODE : ended.failures().isEmpty() ? 0 : 1;
  }

  private static double size(String text) {
    try {
      return DataSize.parse(text).bytes();
    } catch (IllegalArgumentException e) {
      throw new UserException("--bytes must be a size such as 20MB: bytes=" + text, e);
    }
  }

  private static Path shipped() {
    Path file = Path.of(System.getProperty("grapevine.home", "."), "examples", "zoo.toml");
    if (!Files.exists(file)) {
      throw new UserException(
          "there is no %s; say which file to use: grapevine zoo FILE".formatted(file));
    }
    return file;
  }

  private void print(
      Zoo animals,
      Ranking ranking,
      MissingRuns.Ended ended,
      List<PointDirectory> points,
      Path zoo) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(ranking.text().in(Table.Format.TEXT));
    out.println();
    out.println(
        "Accuracy in %: mean over nodes, then seeds. In brackets the rank at equal bytes ("
            + Texts.bytes(ranking.bytes())
            + " a node) and at equal time ("
            + Texts.duration(Duration.ofMillis((long) (1000 * ranking.seconds())))
            + ").");
    out.println("< has not used that up in all its rounds: its last accuracy counts.");
    animals
        .refused()
        .forEach((name, reason) -> out.println("cannot run: %s: %s".formatted(name, reason)));
    ended
        .failures()
        .forEach((name, reason) -> out.println("failed: %s: %s".formatted(name, reason)));
    if (only.isEmpty() && !animals.missing().isEmpty()) {
      out.println("not in the file: " + String.join(", ", animals.missing()));
    }
    long left = points.stream().filter(point -> !point.isDone()).count();
    if (left > 0) {
      out.println(
          "%d of %d runs are not done; the same command runs them".formatted(left, points.size()));
    }
    out.println("%-14s%s".formatted("results", zoo));
    AtomicFiles.write(zoo.resolve("ranking.csv"), ranking.numbers().in(Table.Format.CSV));
    AtomicFiles.write(zoo.resolve("ranking.md"), ranking.text().in(Table.Format.MARKDOWN));
    out.println("%-14s%s".formatted("table", zoo.resolve("ranking.csv")));
    for (Path picture : ScatterPlot.write(ranking.spots(), ranking.titles(), zoo, "zoo")) {
      out.println("%-14s%s".formatted("picture", picture));
    }
    out.flush();
  }
}

package dev.grapevine.app.plot;

import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.results.Axis;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.RunGroup;
import dev.grapevine.results.RunResults;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Draws the curves of one or several runs. */
@Command(
    name = "plot",
    description = {
      "Draws accuracy, loss and other curves of runs, with 95 %% confidence bands.",
      "Runs that differ in their seed only become one curve, with the band over seeds;",
      "the band of a single run is over its nodes."
    },
    mixinStandardHelpOptions = true)
public final class PlotCommand implements Subcommand, Callable<Integer> {

  private static final List<Axis> COURSES = List.of(Axis.ROUNDS, Axis.TIME, Axis.BYTES);

  @Spec private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "RUN", description = "Run directories.")
  private List<Path> runs;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the figures go; by default plots/ in the run, or here for several.")
  private @Nullable Path out;

  @Option(
      names = "--against",
      split = ",",
      paramLabel = "AXIS",
      description = {
        "What to draw against: rounds, time, bytes (default all);",
        "percentiles for how often coordinates were shared (default where recorded)."
      })
  private @Nullable List<Axis> axes;

  @Option(
      names = "--format",
      split = ",",
      defaultValue = "png,svg",
      paramLabel = "FORMAT",
      description = "png, svg (default both).")
  private List<FigureFiles.Format> formats;

  @Option(
      names = "--metric",
      split = ",",
      paramLabel = "NAME",
      description = "Draw these metrics instead of the usual figures.")
  private @Nullable List<String> metrics;

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    List<RunResults> results = ReadableRuns.read(runs, err);
    List<RunGroup> groups = RunGroup.of(results);
    Path directory =
        out != null
            ? out
            : results.size() == 1
                ? results.getFirst().directory().path().resolve("plots")
                : Path.of("plots");
    List<Path> written = new ArrayList<>();
    figures(groups).parallelStream()
        .map(figure -> FigureFiles.write(figure, directory, formats))
        .toList()
        .forEach(written::addAll);
    written.addAll(heatMaps(groups, directory));
    if (written.isEmpty()) {
      throw new UserException(
          "there is nothing to draw: none of the runs has been evaluated yet; let them run longer,"
              + " or set evaluation.every");
    }
    spec.commandLine().getOut().println(written.size() + " files in " + directory);
    written.forEach(file -> spec.commandLine().getOut().println("  " + file.getFileName()));
    spec.commandLine().getOut().flush();
    return 0;
  }

  private List<Figure> figures(List<RunGroup> groups) {
    if (axes != null && axes.contains(Axis.PERCENTILES) && RunPlots.shareCounts(groups).isEmpty()) {
      throw new UserException(
          "how often coordinates were shared was not recorded in any of the runs: set"
              + " sharing.count-shares = true, with a scheme that shares a part of the coordinates,"
              + " and run again");
    }
    if (metrics == null) {
      return RunPlots.all(groups, axes == null ? List.of(Axis.values()) : axes);
    }
    List<Figure> figures = new ArrayList<>();
    for (String metric : metrics) {
      for (Axis axis : axes == null ? COURSES : axes) {
        figures.add(
            RunPlots.figure(metric.replace('_', '-'), groups, List.of(metric), axis)
                .map(figure -> RunPlots.named(figure, axis))
                .orElseThrow(() -> unknown(metric, groups)));
      }
    }
    return figures;
  }

  private List<Path> heatMaps(List<RunGroup> groups, Path directory) {
    List<Path> written = new ArrayList<>();
    if (metrics == null && groups.size() == 1 && groups.getFirst().runs().size() == 1) {
      groups
          .getFirst()
          .runs()
          .getFirst()
          .metric(Metrics.TEST_ACCURACY)
          .filter(column -> column.rounds() > 1 && column.nodes(0).length > 1)
          .ifPresent(column -> written.addAll(HeatMap.write(column, directory, formats)));
    }
    return written;
  }

  private static UserException unknown(String metric, List<RunGroup> groups) {
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

package dev.grapevine.app.plot;

import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.drawing.PictureFormat;
import dev.grapevine.results.AtomicFiles;
import dev.grapevine.results.Axis;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
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
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  grapevine plot runs/quickstart-sweep",
      "  grapevine plot runs/a runs/b --metric test_accuracy --against bytes --format pdf \\",
      "      --labels \"D-PSGD,TopK\" --log x --save figure.toml",
      "  grapevine plot figure.toml"
    })
public final class PlotCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      description = "Run directories, directories of sweeps, or a .toml file with [figure].")
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
        "What to draw against: rounds, time, bytes (default these three), epochs;",
        "percentiles for how often coordinates were shared (default where recorded)."
      })
  private List<Axis> axes = List.of();

  @Option(
      names = "--metric",
      split = ",",
      paramLabel = "NAME",
      description = "Draw these metrics instead of the usual figures.")
  private List<String> metrics = List.of();

  @Option(
      names = "--format",
      split = ",",
      defaultValue = "png,svg",
      paramLabel = "FORMAT",
      description = "pdf, svg, png (default png,svg); text stays text.")
  private List<PictureFormat> formats;

  @Option(names = "--title", paramLabel = "TEXT", description = "Above the curves; \"\" for none.")
  private @Nullable String title;

  @Option(
      names = "--labels",
      split = ",",
      paramLabel = "NAME",
      description = "Names of the curves, in their order.")
  private List<String> labels = List.of();

  @Option(
      names = "--order",
      split = ",",
      paramLabel = "N",
      description = "Numbers of the curves that come first, counted from 1.")
  private List<Integer> order = List.of();

  @Option(
      names = "--colors",
      split = ",",
      paramLabel = "COLOR",
      description = "Colours of the curves, in their order, such as #0072B2.")
  private List<String> colors = List.of();

  @Option(
      names = "--size",
      paramLabel = "WxH",
      description = "Width and height in millimetres (default 84x58, one column of a paper).")
  private @Nullable String size;

  @Option(
      names = "--log",
      split = ",",
      paramLabel = "AXIS",
      description = "Logarithmic axes: x, y or x,y.")
  private List<String> log = List.of();

  @Option(
      names = "--xlim",
      paramLabel = "A,B",
      description = "Ends of the x axis, in the unit it shows.")
  private @Nullable String xLimits;

  @Option(
      names = "--ylim",
      paramLabel = "A,B",
      description = "Ends of the y axis, in the unit it shows; accuracies in percent.")
  private @Nullable String yLimits;

  @Option(
      names = "--legend",
      defaultValue = "auto",
      paramLabel = "WHERE",
      description = "auto (in a free corner, else below), below, right, none.")
  private FigureLook.Legend legend;

  @Option(
      names = "--bands",
      negatable = true,
      description = {
        "Draw confidence intervals, or leave them out.",
        "By default they are drawn for up to eight curves: more cannot be told apart."
      })
  private @Nullable Boolean bands;

  @Option(
      names = "--panels",
      paramLabel = "KEY",
      description = "A small figure of its own for every value of a setting, with common axes.")
  private @Nullable String panels;

  @Option(
      names = "--side-by-side",
      description = "All metrics and axes in one picture, each with axes of its own.")
  private boolean sideBySide;

  @Option(
      names = "--columns",
      paramLabel = "N",
      defaultValue = "0",
      description = "Columns of small figures.")
  private int columns;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the files, for a single figure.")
  private @Nullable String name;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = "Write what was asked for into a file from which 'plot FILE' draws it again.")
  private @Nullable Path save;

  @Option(
      names = "--unfinished",
      description = "Take in runs that were cut off, have failed or still go, too.")
  private boolean unfinished;

  @Override
  public Integer call() {
    List<FigureSettings> wanted = new ArrayList<>();
    List<Path> directories = runs.stream().filter(run -> !FigureSettings.isFile(run)).toList();
    runs.stream()
        .filter(FigureSettings::isFile)
        .forEach(file -> wanted.addAll(FigureSettings.read(file)));
    if (!directories.isEmpty()) {
      wanted.add(settings(directories));
    } else if (save != null) {
      throw new UserException("--save writes what is asked for by options; give runs");
    }
    for (FigureSettings settings : wanted) {
      List<Path> written = new FigureMaker(settings, spec.commandLine().getErr()).write();
      Path directory = written.getFirst().toAbsolutePath().getParent();
      spec.commandLine()
          .getOut()
          .println("%d files in %s".formatted(written.size(), shortest(directory)));
      written.forEach(file -> spec.commandLine().getOut().println("  " + file.getFileName()));
    }
    if (save != null) {
      Path parent = save.toAbsolutePath().getParent();
      AtomicFiles.write(save, wanted.getLast().toToml(parent == null ? Path.of("/") : parent));
      spec.commandLine().getOut().println("again by: grapevine plot " + save);
    }
    spec.commandLine().getOut().flush();
    return 0;
  }

  private static Path shortest(@Nullable Path directory) {
    Path here = Path.of("").toAbsolutePath();
    return directory != null && directory.startsWith(here) && !directory.equals(here)
        ? here.relativize(directory)
        : directory == null ? here : directory;
  }

  private FigureSettings settings(List<Path> directories) {
    List<Double> measures = size == null ? List.of() : numbers("--size", size, "x");
    return new FigureSettings(
        directories,
        Optional.ofNullable(out),
        Optional.ofNullable(name),
        metrics,
        axes,
        formats,
        Optional.ofNullable(title),
        labels,
        order,
        colors,
        measures.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(measures.getFirst()),
        measures.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(measures.getLast()),
        log,
        xLimits == null ? List.of() : numbers("--xlim", xLimits, ","),
        yLimits == null ? List.of() : numbers("--ylim", yLimits, ","),
        legend,
        Optional.ofNullable(bands),
        Optional.ofNullable(panels),
        sideBySide,
        columns,
        unfinished);
  }

  private static List<Double> numbers(String option, String text, String between) {
    try {
      List<Double> numbers =
          Arrays.stream(text.split(between, -1)).map(String::strip).map(Double::valueOf).toList();
      if (numbers.size() == 2) {
        return numbers;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new UserException(
        "%s takes two numbers, such as %s: %s"
            .formatted(option, between.equals("x") ? "84x58" : "0,100", text));
  }
}

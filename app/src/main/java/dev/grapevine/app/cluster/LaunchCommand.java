package dev.grapevine.app.cluster;

import dev.grapevine.UserException;
import dev.grapevine.app.DataFolder;
import dev.grapevine.app.ExperimentFile;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.log.LogLevel;
import dev.grapevine.cluster.ExitCode;
import dev.grapevine.cluster.Placement;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Parts;
import dev.grapevine.experiment.Sweep;
import dev.grapevine.launch.CoordinatedRun;
import dev.grapevine.results.RunDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs an experiment in many processes. */
@Command(
    name = "launch",
    description = {
      "Run an experiment in many processes, on this machine or on several.",
      "Results of protocols in step are those of grapevine run, bit for bit, however many processes"
          + " there are."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 done, 1 failed, 2 a mistake, 75 a worker was lost: try again, 130 interrupted,"
          + " 143 asked to end.",
      "",
      "Example:  grapevine launch examples/quickstart.toml --set runtime.kind=live --workers 4"
    })
public final class LaunchCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ExperimentFile file = new ExperimentFile();

  @Mixin private FleetOptions machines = new FleetOptions();

  @Option(
      names = "--dry-run",
      description = "Tell who would run where, and by what command; start nothing.")
  private boolean isDry;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where results go (default: runs/NAME). If a run is there already, the next free name is"
              + " taken: DIR-2, DIR-3 ...")
  private @Nullable Path directory;

  @Option(
      names = "--force",
      description = "Replace the run that is there already, rather than take the next free name.")
  private boolean replaces;

  @Option(
      names = "--save-models",
      description = "Keep the final model of every node (safetensors).")
  private boolean savesModels;

  @Option(
      names = "--watch",
      description = "Show a live page on this machine while the run goes; prints its address.")
  private boolean watches;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "What goes into run.log: off, error, warning, info, debug (default info).")
  private LogLevel logLevel = LogLevel.INFO;

  @Option(
      names = "--checkpoint",
      paramLabel = "ROUNDS",
      description = "Save all nodes after every so many rounds, so that the run can be resumed.")
  private @Nullable Integer checkpoint;

  @Mixin private DataFolder data = new DataFolder();

  @Mixin private ClusterOptions options = new ClusterOptions();

  @Mixin private EngineOptions engine = new EngineOptions();

  @Mixin private JobTexts texts = new JobTexts();

  @Override
  public Integer call() {
    Experiment experiment = Experiment.read(file.path(), assignments());
    if (Sweep.isIn(experiment)) {
      throw new UserException(
          "%s has a table [sweep], which launch would pass over: take the table out"
              .formatted(file.path()));
    }
    if (texts.isChosen()) {
      return writeJob(experiment);
    }
    if (isDry) {
      Fleet fleet = fleet(CoordinatedRun.parts(experiment, data.path()));
      PrintWriter out = spec.commandLine().getOut();
      out.print(fleet.description("PORT"));
      out.flush();
      return ExitCode.DONE;
    }
    return launch(experiment);
  }

  private List<String> assignments() {
    List<String> all = new ArrayList<>(file.assignments());
    if (checkpoint != null) {
      all.add("checkpoint.every=" + checkpoint);
    }
    return all;
  }

  /** A text for an engine that is not asked itself. */
  private int writeJob(Experiment experiment) {
    OptionalInt workers = machines.onlyWorkers();
    if (!isDry || workers.isEmpty()) {
      throw new UserException(
          "--slurm and --kubernetes write a text and start nothing: give --dry-run and --workers N");
    }
    Parts parts = CoordinatedRun.parts(experiment, data.path());
    Placement.blocks(parts.learners(), parts.nodes(), workers.getAsInt());
    List<String> more = new ArrayList<>();
    assignments().forEach(each -> more.addAll(List.of("--set", each)));
    if (directory != null) {
      more.addAll(List.of("--out", directory.toString()));
    }
    if (savesModels) {
      more.add("--save-models");
    }
    if (experiment.checkpoint().isOn()) {
      more.add("--resume");
    }
    data.given().ifPresent(given -> more.addAll(List.of("--data-dir", given.toString())));
    more.addAll(options.forWorkers());
    PrintWriter out = spec.commandLine().getOut();
    out.print(texts.text(experiment.name(), file.path(), workers.getAsInt(), more));
    out.flush();
    return ExitCode.DONE;
  }

  private Fleet fleet(Parts parts) {
    return fleet(parts, file.path(), assignments(), List.of());
  }

  private Fleet fleet(
      Parts parts, Path experiment, List<String> assignments, List<String> goingOn) {
    List<String> more = new ArrayList<>(options.forWorkers());
    more.addAll(goingOn);
    return machines.fleet(
        parts,
        new Fleet.Orders(
            experiment, assignments, machines.dataFolder(data), logLevel, List.copyOf(more)),
        engine);
  }

  private int launch(Experiment experiment) {
    try (Results results =
        new Results(
            spec,
            Results.fresh(experiment, directory, replaces),
            savesModels,
            logLevel,
            data.path(),
            watches)) {
      return new Launching(
              results,
              options,
              data,
              spec.commandLine().getErr(),
              this::fleet,
              run ->
                  parts ->
                      fleet(
                          parts,
                          new RunDirectory(run).experimentFile(),
                          List.of(),
                          Launching.goingOn(run, results.run())))
          .start();
    }
  }
}

package dev.grapevine.app.cluster;

import dev.grapevine.UserException;
import dev.grapevine.app.DataFolder;
import dev.grapevine.app.ExperimentFile;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.console.Interruption;
import dev.grapevine.app.log.LogLevel;
import dev.grapevine.cluster.ExitCode;
import dev.grapevine.cluster.HostsFile;
import dev.grapevine.cluster.Placement;
import dev.grapevine.cluster.Rendezvous;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Parts;
import dev.grapevine.experiment.Sweep;
import dev.grapevine.launch.CoordinatedRun;
import dev.grapevine.results.HostName;
import dev.grapevine.security.RunSecret;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
      "Results are those of grapevine run, bit for bit, however many processes there are."
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

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "So many processes on this machine; nodes are dealt to them in blocks.")
  private @Nullable Integer workers;

  @Option(
      names = "--hosts",
      paramLabel = "FILE",
      description =
          "The machines to run on, one a line: host workers=4 [nodes=0-63] [address=A] [port=P].")
  private @Nullable Path hosts;

  @Option(
      names = "--rsh",
      paramLabel = "COMMAND",
      description =
          "What gets to other machines (default: ssh -o BatchMode=yes). Grapevine and the"
              + " experiment must be at the same path there.")
  private String shell = "ssh -o BatchMode=yes";

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      description = "Where other machines reach this one (default: its name).")
  private @Nullable String address;

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

  @Mixin private DataFolder data = new DataFolder();

  @Mixin private ClusterOptions options = new ClusterOptions();

  @Mixin private EngineOptions engine = new EngineOptions();

  @Mixin private JobTexts texts = new JobTexts();

  @Override
  public Integer call() {
    Experiment experiment = file.read();
    if (Sweep.isIn(experiment)) {
      throw new UserException(
          "%s has a table [sweep], which launch would pass over: take the table out"
              .formatted(file.path()));
    }
    if (texts.isChosen()) {
      return writeJob(experiment);
    }
    Parts parts = CoordinatedRun.parts(experiment, data.path());
    Fleet fleet = fleet(parts);
    if (isDry) {
      PrintWriter out = spec.commandLine().getOut();
      out.print(fleet.description("PORT"));
      out.flush();
      return ExitCode.DONE;
    }
    return launch(experiment, parts, fleet);
  }

  /** A text for an engine that is not asked itself. */
  private int writeJob(Experiment experiment) {
    if (!isDry || workers == null || hosts != null) {
      throw new UserException(
          "--slurm and --kubernetes write a text and start nothing: give --dry-run and --workers N");
    }
    Parts parts = CoordinatedRun.parts(experiment, data.path());
    Placement.blocks(parts.learners(), parts.nodes(), workers);
    List<String> more = new ArrayList<>();
    file.assignments().forEach(each -> more.addAll(List.of("--set", each)));
    if (directory != null) {
      more.addAll(List.of("--out", directory.toString()));
    }
    if (savesModels) {
      more.add("--save-models");
    }
    data.given().ifPresent(given -> more.addAll(List.of("--data-dir", given.toString())));
    more.addAll(options.forWorkers());
    PrintWriter out = spec.commandLine().getOut();
    out.print(texts.text(experiment.name(), file.path(), workers, more));
    out.flush();
    return ExitCode.DONE;
  }

  private Fleet fleet(Parts parts) {
    if (hosts == null && workers != null) {
      Placement blocks = Placement.blocks(parts.learners(), parts.nodes(), workers);
      Fleet.Orders orders =
          new Fleet.Orders(file, Optional.of(data.path()), logLevel, options.forWorkers());
      return engine.isChosen()
          ? Fleet.on(engine, blocks, orders, address == null ? HostName.here() : address)
          : Fleet.here(blocks, orders);
    }
    if (hosts == null || workers != null) {
      throw new UserException(
          "say how many processes to start, by --workers N on this machine or by --hosts FILE");
    }
    if (engine.isChosen()) {
      throw new UserException("--on chooses the machines itself; give --workers, not --hosts");
    }
    HostsFile machines = HostsFile.read(hosts);
    Placement placement =
        machines
            .nodesOfWorkers()
            .map(nodes -> Placement.of(parts.learners(), parts.nodes(), nodes))
            .orElseGet(() -> Placement.blocks(parts.learners(), parts.nodes(), machines.workers()));
    return Fleet.on(
        machines,
        placement,
        parts.learners(),
        new Fleet.Orders(file, data.given(), logLevel, options.forWorkers()),
        new Fleet.Way(
            shell,
            Path.of("").toAbsolutePath(),
            Path.of(System.getProperty("grapevine.home", ".")).toAbsolutePath().normalize(),
            address == null ? HostName.here() : address));
  }

  private int launch(Experiment experiment, Parts parts, Fleet fleet) {
    RunSecret secret = RunSecret.random();
    PrintWriter err = spec.commandLine().getErr();
    try (Results results =
            new Results(
                spec,
                experiment,
                directory,
                replaces,
                savesModels,
                logLevel,
                data.path(),
                watches);
        Interruption interruption = results.interruption();
        Meeting meeting =
            new Meeting(
                options.security(secret, options.identity("launcher", fleet.isLocal())),
                new Rendezvous.At(
                    fleet.isLocal() ? "127.0.0.1" : "0.0.0.0", options.coordinatorPort()),
                options.coordinatorPort());
        Workers crew =
            fleet.start(
                meeting.coordinator(),
                secret,
                line -> {
                  err.println(line);
                  err.flush();
                })) {
      CoordinatedRun.Ended ended =
          new CoordinatedRun(
                  results.run(),
                  parts,
                  fleet.placement(),
                  options.patience(experiment),
                  options.encryption())
              .start(meeting.coordinator());
      crew.end();
      results.print(ended.result());
      return code(ended, interruption);
    }
  }

  /** A worker that was interrupted, when nobody here was, has been lost to those who started it. */
  private static int code(CoordinatedRun.Ended ended, Interruption interruption) {
    if (ended.exitCode() != ExitCode.INTERRUPTED) {
      return ended.exitCode();
    }
    return interruption.hasHappened() ? interruption.exitCode() : ExitCode.TRY_AGAIN;
  }
}

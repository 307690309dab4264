package dev.grapevine.app.cluster;

import dev.grapevine.UserException;
import dev.grapevine.app.DataFolder;
import dev.grapevine.app.ExperimentFile;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.console.Interruption;
import dev.grapevine.app.log.LogLevel;
import dev.grapevine.cluster.ExitCode;
import dev.grapevine.cluster.Placement;
import dev.grapevine.cluster.Rank;
import dev.grapevine.cluster.Rendezvous;
import dev.grapevine.cluster.RunGivenUp;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Parts;
import dev.grapevine.launch.CoordinatedRun;
import dev.grapevine.launch.ResumedWork;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.WorkerRun;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.security.RunSecret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One process of a run in many. */
@Command(
    name = "worker",
    description = {
      "Be one process of a run in many, started by srun, mpirun, a Kubernetes job or by hand.",
      "Worker 0 also coordinates the run and keeps its results."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Rank and number of workers come from the options, else from GRAPEVINE_RANK and _WORLD, Slurm,"
          + " Open MPI, PMI or a Kubernetes indexed job.",
      "Exit codes: 0 done, 1 failed, 2 a mistake, 75 a worker was lost: try again, 130 interrupted,"
          + " 143 asked to end.",
      "",
      "Example:  srun -n 8 grapevine worker examples/quickstart.toml --set runtime.kind=live"
    })
public final class WorkerCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ExperimentFile file = new ExperimentFile();

  @Option(names = "--rank", paramLabel = "R", description = "Which worker this is, from 0.")
  private @Nullable Integer rank;

  @Option(names = "--world", paramLabel = "W", description = "How many workers there are.")
  private @Nullable Integer world;

  @Option(
      names = "--rendezvous",
      paramLabel = "HOST:PORT|DIR",
      description =
          "Where the workers meet: at a port of worker 0's machine, or by a directory that all see"
              + " (default under Slurm: one in this directory, named after the job).")
  private @Nullable String rendezvous;

  @Option(
      names = "--secret",
      paramLabel = "FILE",
      description =
          "The file with the secret of the run, readable by its owner only; - for standard input"
              + " (default with a directory: a file there).")
  private @Nullable String secret;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Where this worker listens for the others (default: a free port).")
  private int port;

  @Option(
      names = "--advertise",
      paramLabel = "ADDRESS",
      description =
          "The address at which other workers reach this one, if not the one it reaches them from.")
  private @Nullable String advertise;

  @Option(
      names = "--resume",
      description =
          "If a run was saved where this one goes, go on with it from its newest checkpoint; said to"
              + " all workers, with the same --out. A job that is requeued needs no other command.")
  private boolean resumes;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where worker 0 puts the results (default: runs/NAME).")
  private @Nullable Path directory;

  @Option(
      names = "--force",
      description = "Replace the run that is there already, rather than take the next free name.")
  private boolean replaces;

  @Option(
      names = "--save-models",
      description = "Keep the final model of every node; said to worker 0.")
  private boolean savesModels;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "What goes into run.log: off, error, warning, info, debug (default info).")
  private LogLevel logLevel = LogLevel.INFO;

  @Mixin private DataFolder data = new DataFolder();

  @Mixin private ClusterOptions options = new ClusterOptions();

  @Override
  public Integer call() {
    Experiment experiment = file.read();
    ClusterOptions.requirePort("--port", port);
    Rendezvous meeting = meeting();
    WorkerPart part =
        new WorkerPart(
            Rank.of(number(rank), number(world), System.getenv()),
            secret(meeting),
            options,
            Optional.ofNullable(advertise),
            port,
            logLevel);
    Optional<ResumedWork> resumed =
        resumes ? ResumedWork.newest(place(experiment), experiment) : Optional.empty();
    WorkerPart.Work work =
        new WorkerPart.Work(resumed.map(ResumedWork::experiment).orElse(experiment), resumed);
    try (Interruption interruption = Interruption.ofThisThread(() -> {}, part::stop)) {
      int code = take(part, work, meeting);
      return code == ExitCode.INTERRUPTED ? interruption.exitCode() : code;
    } catch (RunGivenUp given) {
      spec.commandLine().getErr().println(given.getMessage());
      return given.exitCode();
    }
  }

  private Path place(Experiment experiment) {
    return directory == null ? RunDirectory.in(Path.of("runs"), experiment.name()) : directory;
  }

  private int take(WorkerPart part, WorkerPart.Work work, Rendezvous meeting) {
    Parts parts = CoordinatedRun.parts(work.experiment(), data.path());
    Rank own = part.rank();
    Placement placement = Placement.blocks(parts.learners(), parts.nodes(), own.world());
    WorkerRun worker = work.run(parts, placement, own, CommandLines.typed(spec));
    try {
      return own.rank() > 0
          ? part.start(worker, work.experiment(), meeting, System.err, () -> {})
          : coordinate(part, work.experiment(), worker, parts, placement, meeting);
    } catch (InterruptedException asked) {
      return ExitCode.INTERRUPTED;
    }
  }

  /** Worker 0: the same process coordinates and works. */
  private int coordinate(
      WorkerPart part,
      Experiment experiment,
      WorkerRun worker,
      Parts parts,
      Placement placement,
      Rendezvous meeting)
      throws InterruptedException {
    try (Results results =
            new Results(spec, run(experiment), savesModels, logLevel, data.path(), false);
        Meeting open =
            new Meeting(
                part.security("coordinator", meeting), meeting, options.coordinatorPort())) {
      CoordinatedRun run =
          new CoordinatedRun(
              results.run(), parts, placement, options.patience(experiment), options.encryption());
      FutureTask<CoordinatedRun.Ended> coordinating =
          new FutureTask<>(() -> run.start(open.coordinator()));
      Thread coordinator = Thread.ofPlatform().name("coordinator").start(coordinating);
      int code;
      try {
        code = part.start(worker, experiment, open.forThisMachine(), System.err, () -> {});
      } catch (RunGivenUp given) {
        code = given.exitCode();
      }
      coordinator.join();
      try {
        CoordinatedRun.Ended ended = coordinating.get();
        results.print(ended.result());
        return Math.max(code, ended.exitCode());
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException cause
            ? cause
            : new IllegalStateException(e.getCause());
      }
    }
  }

  /** A run that begins, or goes on where one was cut off. */
  private Run run(Experiment experiment) {
    Path place = place(experiment);
    return resumes && Files.exists(new RunDirectory(place).experimentFile())
        ? Run.resume(place, List.of())
        : Results.fresh(experiment, resumes ? place : directory, replaces);
  }

  private Rendezvous meeting() {
    if (rendezvous != null) {
      return Rendezvous.parse(rendezvous);
    }
    Map<String, String> environment = System.getenv();
    String job = environment.get("SLURM_JOB_ID");
    if (job == null) {
      throw new UserException(
          "say where the workers meet: --rendezvous HOST:PORT of worker 0, or a directory that all"
              + " see");
    }
    String step = environment.getOrDefault("SLURM_STEP_ID", "0");
    return new Rendezvous.In(Path.of(".grapevine", "slurm-%s-%s".formatted(job, step)));
  }

  private RunSecret secret(Rendezvous meeting) {
    if ("-".equals(secret)) {
      return RunSecret.read(System.in);
    }
    if (secret != null) {
      return RunSecret.read(Path.of(secret));
    }
    if (meeting instanceof Rendezvous.In directory) {
      return RunSecret.shared(directory.secretFile());
    }
    throw new UserException(
        "workers that meet at a port need the secret of the run: give all of them the same"
            + " --secret FILE");
  }

  private static OptionalInt number(@Nullable Integer number) {
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }
}

package dev.grapevine.launch;

import dev.grapevine.UserException;
import dev.grapevine.checkpoint.Checkpoints;
import dev.grapevine.data.fetch.DataDirectory;
import dev.grapevine.engine.Safetensors;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.ExperimentCheck;
import dev.grapevine.experiment.NamedFiles;
import dev.grapevine.learning.ModelLearner;
import dev.grapevine.results.MetricsWriter;
import dev.grapevine.results.Provenance;
import dev.grapevine.results.RunClaim;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.Spread;
import dev.grapevine.results.Summary;
import dev.grapevine.results.WriteFailure;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Saving;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.state.State;
import dev.grapevine.topology.Graph;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A run of an experiment, to be described and then {@linkplain #start started}. Results go to a
 * directory while the run goes, so that nothing is lost when it is cut off.
 */
public final class Run {

  final Experiment experiment;
  private @Nullable Path directory;
  private Path dataDirectory = DataDirectory.locate();
  private List<String> command = List.of();
  ProgressListener listener = progress -> {};
  boolean savesModels;
  private boolean sharesProcess;
  private Occupied occupied = Occupied.REFUSE;
  private boolean forecasts;
  private int restarts;

  /** Faults on purpose that made all go back to a checkpoint: they have been mended by then. */
  final Set<InjectedFault> mended = new HashSet<>();

  Continuation from = Continuation.NONE;
  private @Nullable Fork fork;
  List<String> notes = List.of();
  private volatile @Nullable Thread runner;
  private volatile @Nullable Checkpoints checkpoints;

  /** What becomes of a run that is already where this one should go. */
  public enum Occupied {
    /** It stays, and this run is refused. */
    REFUSE,
    /** It stays, and this run goes to the next free name beside it. */
    BESIDE,
    /** It is deleted once this run is about to begin. */
    REPLACE,
    /** It is this run, which goes on. */
    CONTINUE
  }

  private Run(Experiment experiment) {
    this.experiment = experiment;
  }

  public static Run of(Experiment experiment) {
    return new Run(experiment);
  }

  /**
   * A run that goes on from its newest checkpoint, in its own directory, and ends as if it had
   * never been cut. One that was not saved yet begins again.
   *
   * @param directory the run's directory
   * @param assignments settings that have no say in the results, such as {@code runtime.threads=4}
   * @throws UserException when the run is complete, still goes, or no checkpoint can be used
   */
  public static Run resume(Path directory, List<String> assignments) {
    return CutOffRun.read(directory, assignments).toRun();
  }

  /**
   * A run that branches off another at one of its checkpoints, with some settings changed.
   *
   * @param directory the parent's directory
   * @param at after how many rounds; the newest checkpoint if it is not said
   * @param assignments what is changed, such as {@code sharing.kind=jwins++}
   * @throws UserException when there is no such checkpoint, or its state does not fit
   */
  public static Run fork(Path directory, OptionalInt at, List<String> assignments) {
    return Fork.of(directory, at, assignments).toRun();
  }

  /**
   * A recorded run once more, from where it began: one that branched off another begins at that
   * checkpoint.
   *
   * @throws UserException when the checkpoint is gone, or the experiment cannot be read
   */
  public static Run again(SavedRun recorded) {
    Experiment experiment = CutOffRun.experimentOf(recorded);
    return recorded
        .branch()
        .map(branch -> Fork.again(recorded, branch, experiment).toRun().occupied(Occupied.REFUSE))
        .orElseGet(() -> Run.of(experiment));
  }

  Run branching(Fork fork) {
    this.fork = fork;
    return this;
  }

  /** Goes on from a cut. */
  Run goingOn(Continuation from, List<String> notes) {
    this.from = from;
    this.notes = List.copyOf(notes);
    return this;
  }

  /** Where results go: a directory that is empty or not there yet; by default {@code runs/NAME}. */
  public Run into(Path directory) {
    this.directory = directory;
    return this;
  }

  /** What to do when the directory is taken; without {@link #into} a free name is found anyway. */
  public Run occupied(Occupied occupied) {
    this.occupied = occupied;
    return this;
  }

  /** Whether a step is measured first, and the listener told what to expect. */
  public Run forecasts(boolean forecasts) {
    this.forecasts = forecasts;
    return this;
  }

  /** Where fetched data sets are, if not in the usual place. */
  public Run dataDirectory(Path dataDirectory) {
    this.dataDirectory = dataDirectory;
    return this;
  }

  /** What was typed to start it; recorded. */
  public Run command(List<String> command) {
    this.command = List.copyOf(command);
    return this;
  }

  public Run listener(ProgressListener listener) {
    this.listener = listener;
    return this;
  }

  /** Whether the final model of every node is kept. */
  public Run savesModels(boolean savesModels) {
    this.savesModels = savesModels;
    return this;
  }

  /**
   * Whether other runs go on in this process, or did before. Memory is that of the process, so it
   * is not recorded then.
   */
  public Run sharesProcess(boolean sharesProcess) {
    this.sharesProcess = sharesProcess;
    return this;
  }

  /**
   * Runs the experiment to its end. When the calling thread is interrupted, the run stops early;
   * what was recorded until then is kept, and the result says so.
   *
   * @throws dev.grapevine.UserException when the parts do not fit together or data is missing
   */
  public RunResult start() {
    runner = Thread.currentThread();
    notes.forEach(listener::note);
    Assembly assembly = new Assembly(experiment, dataDirectory, from);
    from.requireNodes(assembly.nodes());
    ExperimentCheck.ignored(experiment).forEach(listener::note);
    experiment.privacy().create().warning(1, false).ifPresent(listener::note);
    RunDirectory target = directory();
    try {
      RunResult result = claimed(assembly, target);
      return mayRestart(result) ? restarted(result, restarts + 1).start() : result;
    } catch (UncheckedIOException e) {
      throw new UserException(
          "%s; what was recorded until then is kept in %s: mend this, and run it again into another"
                  .formatted(e.getMessage(), target.path())
              + " directory",
          e);
    }
  }

  private RunResult claimed(Assembly assembly, RunDirectory target) {
    try (RunClaim claim = claim(target)) {
      return start(assembly, target);
    }
  }

  /** Nobody else may go on with a run while this one does. */
  RunClaim claim(RunDirectory target) {
    return occupied == Occupied.CONTINUE
        ? target
            .claim()
            .orElseThrow(() ->
                new UserException(
                    "%s is being resumed by another process: stop that first"
                        .formatted(target.path())))
        : RunClaim.NOT_NEEDED;
  }

  private boolean mayRestart(RunResult result) {
    FaultPolicy policy = experiment.faultPolicy();
    return result.outcome().ending() == Outcome.Ending.FAILED
        && policy.failedNode() == FaultPolicy.FailedNode.RESTART
        && restarts < policy.restarts();
  }

  /**
   * The same run, all of its nodes as they were at the newest checkpoint, and the faults on purpose
   * that have struck mended.
   *
   * @param result how it ended before
   * @param restart how often it has been restarted, this time included
   */
  public Run restarted(RunResult result, int restart) {
    listener.warning(
        "%s; all nodes go back to the newest checkpoint (restart %d of %d)"
            .formatted(result.outcome().reason(), restart, experiment.faultPolicy().restarts()));
    Run again = resume(result.directory().path(), List.of());
    again.dataDirectory = dataDirectory;
    again.command = command;
    again.listener = listener;
    again.savesModels = savesModels;
    again.sharesProcess = sharesProcess;
    again.restarts = restart;
    again.mended.addAll(mended);
    return again;
  }

  private RunResult start(Assembly assembly, RunDirectory target) {
    open(assembly, target);
    listener.begun(target);
    if (forecasts && from.isNone()) {
      Forecast.of(experiment, assembly).ifPresent(listener::expected);
    }
    Outcome outcome;
    Stopping stopping;
    State run = from.run();
    RunClock clock = new RunClock(run);
    try (MetricsWriter metrics = target.metrics();
        Checkpoints saving = checkpoints(assembly, target, metrics, run)) {
      Recorder recorder =
          new Recorder(
              experiment,
              assembly,
              experiment.stop(),
              metrics,
              target::writeLinks,
              target::log,
              listener,
              clock);
      stopping = recorder.stopping();
      recorder.goOn(target, from.firstRound(), run, mended);
      if (from.isNone()) {
        recorder.evaluateBeforeTraining();
      }
      Saving how =
          new Saving(saving == null ? Cuts.NONE : saving, from.resumption(), assembly::again);
      outcome = assembly.runtime().run(assembly.plan(how, mended), recorder);
      mended.addAll(recorder.struck());
      recorder.end();
      recorder.writeLinks();
    }
    // A signal that came too late to stop it must not keep the rest from being written.
    boolean isInterrupted = Thread.interrupted();
    assembly.shareCounts().ifPresent(target::writeShareCounts);
    Summary summary =
        writeSummary(
            target,
            ending(
                outcome.longerBy(from.wallTime()),
                stopping,
                assembly.nodes(),
                sharesProcess ? OptionalLong.empty() : OptionalLong.of(ProcessMemory.peakBytes())),
            outcome);
    // Last, because models are large: where there is no room for them, the rest is safe.
    if (savesModels) {
      saveModels(assembly, target);
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    return new RunResult(target, outcome, summary);
  }

  private @Nullable Checkpoints checkpoints(
      Assembly assembly, RunDirectory target, MetricsWriter metrics, State run) {
    checkpoints =
        experiment.checkpoint().isOn()
            ? Checkpoints.ofRun(
                new Checkpoints.Place(
                    target.checkpoints(),
                    experiment.checkpoint(),
                    Continuation.identity(experiment),
                    metrics::flush,
                    listener::warning),
                assembly.nodes(),
                run,
                from.firstRound())
            : null;
    return checkpoints;
  }

  /**
   * Stops the run once it has been saved at the end of a round; to be called from another thread
   * than the run's, which is interrupted then.
   *
   * @return false when the run is not saved, so that interrupting its thread is all there is to do
   */
  public boolean stop() {
    Thread running = runner;
    Checkpoints saving = checkpoints;
    if (saving == null || running == null) {
      return false;
    }
    saving.saveSoon(running::interrupt);
    return true;
  }

  /** The round that it begins with: not the first if it was resumed or forked. */
  public int firstRound() {
    return from.firstRound();
  }

  /** What is run. */
  public Experiment experiment() {
    return experiment;
  }

  /** Sums up what was recorded. */
  static Summary writeSummary(RunDirectory target, Summary.Ending ending, Outcome outcome) {
    SavedRun results = SavedRun.read(target.path());
    Summary summary =
        Summary.of(
            ending,
            totals(outcome.nodes()),
            ending.stoppedAfter().isPresent()
                ? results.upTo(ending.stoppedAfter().getAsInt())
                : results);
    target.writeSummary(summary);
    return summary;
  }

  /** Begins the results, or goes on with them. */
  void open(Assembly assembly, RunDirectory target) {
    if (occupied == Occupied.CONTINUE) {
      ResumedDirectory.reopen(target, experiment, assembly, from, command);
      branchOff(target);
    } else {
      writeBeginning(assembly, target);
    }
  }

  private void branchOff(RunDirectory target) {
    if (fork != null) {
      target.branchOff(fork.parent(), from.firstRound());
    }
  }

  private void writeBeginning(Assembly assembly, RunDirectory target) {
    NamedFiles files = experiment.files();
    files.sources().keySet().forEach(target::keepSource);
    target.writeProvenance(
        Provenance.here(
            Version.TEXT,
            command,
            experiment.directory(),
            experiment.seed(),
            DataFingerprint.of(assembly.data()),
            byName(files.sources()),
            byName(files.data())));
    // Before the experiment, without which nothing is resumed: a branch that is killed while it
    // begins must not go on as if it were none.
    branchOff(target);
    target.writeExperiment(experiment.toToml());
    target.writeTopology(Graph.of(assembly.topology(), 0));
    target.writeData(assembly.classCounts());
  }

  RunDirectory directory() {
    if (directory == null) {
      Path runs = Path.of("runs");
      return occupied == Occupied.REPLACE
          ? RunDirectory.replace(RunDirectory.in(runs, experiment.name()))
          : RunDirectory.createIn(runs, experiment.name());
    }
    return switch (occupied) {
      case REFUSE -> RunDirectory.create(directory);
      case BESIDE -> RunDirectory.createBeside(directory);
      case REPLACE -> RunDirectory.replace(directory);
      case CONTINUE -> new RunDirectory(directory);
    };
  }

  private static SequencedMap<String, String> byName(SequencedMap<Path, String> hashes) {
    SequencedMap<String, String> byName = new LinkedHashMap<>();
    hashes.forEach((file, hash) -> byName.put(file.getFileName().toString(), hash));
    return byName;
  }

  /** What only the runtime knows of a run's end. */
  Summary.Ending ending(
      Outcome outcome, Stopping stopping, int nodes, OptionalLong peakMemoryBytes) {
    return new Summary.Ending(
        outcome.ending().name().toLowerCase(Locale.ROOT),
        outcome.reason(),
        experiment.name(),
        experiment.seed(),
        experiment.rounds(),
        nodes,
        outcome.wallTime(),
        outcome.virtualTime(),
        outcome.traceHash(),
        peakMemoryBytes,
        stopping.divergedIn(),
        outcome.ending() == Outcome.Ending.STOPPED ? stopping.stoppedAfter() : OptionalInt.empty());
  }

  private static Summary.Totals totals(List<NodeOutcome> nodes) {
    return new Summary.Totals(
        Spread.of(nodes.stream().mapToDouble(node -> node.traffic().bytesSent()).toArray()),
        Spread.of(nodes.stream().mapToDouble(node -> node.traffic().bytesReceived()).toArray()),
        nodes.stream().mapToDouble(node -> node.phases().training().toNanos() / 1e9).sum());
  }

  private static void saveModels(Assembly assembly, RunDirectory target) {
    try {
      for (Map.Entry<Integer, ModelLearner> node : assembly.learners().entrySet()) {
        ModelLearner learner = node.getValue();
        Safetensors.write(
            target.modelFile(node.getKey()),
            learner.model(),
            learner.parameters(),
            learner.statistics(),
            Map.of());
      }
    } catch (IOException e) {
      throw new UserException(
          "the models could not be saved: %s; all other results are in %s"
              .formatted(WriteFailure.text(e), target.path()),
          e);
    }
  }
}

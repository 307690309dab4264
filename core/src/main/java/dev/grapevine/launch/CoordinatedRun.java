package dev.grapevine.launch;

import dev.grapevine.UserException;
import dev.grapevine.checkpoint.Checkpoints;
import dev.grapevine.checkpoint.CutParts;
import dev.grapevine.cluster.Coordinator;
import dev.grapevine.cluster.ExitCode;
import dev.grapevine.cluster.Patience;
import dev.grapevine.cluster.Placement;
import dev.grapevine.cluster.Replacements;
import dev.grapevine.cluster.Terms;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.ExperimentCheck;
import dev.grapevine.experiment.Parts;
import dev.grapevine.results.MetricsWriter;
import dev.grapevine.results.RunClaim;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.Summary;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.fault.Fault;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.Faults;
import dev.grapevine.state.State;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A run in many processes, seen from where it is coordinated: no node lives here, but all results
 * come here and are recorded as if the run had had one process.
 */
public final class CoordinatedRun {

  private final Run run;
  private final Experiment experiment;
  private final Assembly assembly;
  private final Placement placement;
  private final Patience patience;
  private final String encryption;
  private final WorkersSecrecy secrecy;
  private final ComingsAndGoings comings;
  private final Parts parts;
  private volatile @Nullable Path directory;
  private Replacements replacements = Replacements.NONE;
  private volatile @Nullable Coordinator saving;

  /**
   * How a run ended.
   *
   * @param exitCode with what its processes end
   */
  public record Ended(RunResult result, int exitCode) {}

  /**
   * Puts together what the coordinator needs to know.
   *
   * @param run where results go and who hears of them
   * @param encryption when connections are encrypted, in a word; recorded
   */
  public CoordinatedRun(
      Run run, Parts parts, Placement placement, Patience patience, String encryption) {
    this.run = run;
    this.experiment = run.experiment;
    this.parts = parts;
    this.assembly = new Assembly(experiment, parts, node -> false);
    run.from.requireNodes(assembly.nodes());
    this.placement = placement;
    this.patience = patience;
    this.encryption = encryption;
    this.comings = new ComingsAndGoings(experiment, assembly);
    this.secrecy = new WorkersSecrecy(experiment, parts, placement);
    secrecy.requireKept();
    // What does not fit together is refused here and not by each worker.
    for (int node = 0; node < experiment.nodes().count(); node++) {
      parts.model(experiment.forNode(node), node);
    }
  }

  /** What an experiment is made of; refused where it cannot run in many processes. */
  public static Parts parts(Experiment experiment, Path dataDirectory) {
    if (!experiment.runtime().name().equals("live")) {
      throw new UserException(
          "many processes need the wall clock, but runtime.kind is \"%s\": use grapevine run, or set"
                  .formatted(experiment.runtime().name())
              + " runtime.kind=live");
    }
    return new Parts(experiment, dataDirectory);
  }

  /**
   * Whether a worker that is lost can come back alone: where each round's models are all that nodes
   * say to each other, and come out the same when a round is done again, others can wait for it and
   * say again what it has missed.
   */
  private boolean mayComeBackAlone() {
    FaultPolicy policy = experiment.faultPolicy();
    Faults faults = experiment.faults();
    return policy.failedNode() == FaultPolicy.FailedNode.RESTART
        && policy.missing() == FaultPolicy.Missing.WAIT
        && !comings.areThere()
        && experiment.checkpoint().isOn()
        && experiment.privacy().create().isNone()
        && faults.messages().isNone()
        && faults.injected().stream().allMatch(fault -> fault.fault() == Fault.IS_SLOW)
        && isInStep();
  }

  /**
   * Whether a worker that is lost can join the others again, which go on meanwhile. Servers are not
   * done without: where one is, all go back together.
   */
  private boolean mayJoinAgain() {
    return comings.restartAlone() && parts.nodes() == parts.learners();
  }

  private boolean isInStep() {
    for (int node = 0; node < parts.nodes(); node++) {
      if (!parts.protocol(experiment.forNode(node), node).isInStep()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Looks after the run to its end; an interrupt stops it.
   *
   * @param replacements starts workers again that are lost, where they can come back alone
   */
  public Ended start(Coordinator coordinator, Replacements replacements) {
    this.replacements = mayComeBackAlone() || mayJoinAgain() ? replacements : Replacements.NONE;
    return start(coordinator);
  }

  /** Looks after the run to its end; an interrupt stops it. */
  public Ended start(Coordinator coordinator) {
    run.notes.forEach(run.listener::note);
    ExperimentCheck.ignored(experiment).forEach(run.listener::note);
    secrecy.notes(coordinator.isCertified()).forEach(run.listener::note);
    RunDirectory target = run.directory();
    try (RunClaim claim = run.claim(target)) {
      return start(coordinator, target);
    } catch (UncheckedIOException e) {
      throw new UserException(
          "%s; what was recorded until then is kept in %s".formatted(e.getMessage(), target.path()),
          e);
    }
  }

  private Ended start(Coordinator coordinator, RunDirectory target) {
    run.open(assembly, target);
    directory = target.path().toAbsolutePath().normalize();
    run.listener.begun(target);
    State state = run.from.run();
    RunClock clock = new RunClock(state);
    Terms terms =
        new Terms(
            Version.TEXT,
            Fingerprint.of(experiment),
            Fingerprint.of(assembly),
            placement,
            target.path().toAbsolutePath().normalize().toString(),
            run.savesModels,
            experiment.faultPolicy().failedNode() == FaultPolicy.FailedNode.DROP,
            patience,
            new Terms.From(run.from.firstRound(), run.from.resumption().moment().time()),
            replacements,
            comings.restartAlone());
    Outcome outcome;
    Coordinator.Result result;
    Recorder recorder;
    try (MetricsWriter metrics = target.metrics()) {
      recorder =
          new Recorder(
              experiment,
              assembly,
              experiment.stop(),
              metrics,
              target::writeLinks,
              target::log,
              run.listener,
              clock);
      recorder.goOn(target, run.from.firstRound(), state, run.mended);
      try (Gatherer gatherer =
          new Gatherer(
              experiment,
              recorder,
              placement,
              target,
              run.listener,
              deployment(coordinator),
              cuts(coordinator, target, metrics, state),
              replacements != Replacements.NONE,
              comings.areThere())) {
        result = coordinator.run(terms, gatherer);
        outcome = gatherer.end(result);
      }
      run.mended.addAll(recorder.struck());
      recorder.end();
      recorder.writeLinks();
    }
    Summary summary =
        Run.writeSummary(
            target,
            run.ending(
                outcome.longerBy(run.from.wallTime()),
                recorder.stopping(),
                assembly.nodes(),
                result.peakMemory() == 0
                    ? OptionalLong.empty()
                    : OptionalLong.of(result.peakMemory())),
            outcome);
    int code = result.exitCode();
    return new Ended(
        new RunResult(target, outcome, summary),
        code == ExitCode.DONE ? ExitCode.of(outcome.ending()) : code);
  }

  private @Nullable CutParts cuts(
      Coordinator coordinator, RunDirectory target, MetricsWriter metrics, State state) {
    if (!experiment.checkpoint().isOn()) {
      return null;
    }
    saving = coordinator;
    return new CutParts(
        new Checkpoints.Place(
            target.checkpoints(),
            experiment.checkpoint(),
            Continuation.identity(experiment),
            metrics::flush,
            run.listener::warning),
        placement.workerOf(),
        state,
        run.from.firstRound(),
        coordinator::saved);
  }

  /**
   * Stops the run once it has been saved at the end of a round; may be called by any thread.
   *
   * @return false when the run is not saved, so that interrupting its thread is all there is to do
   */
  public boolean stop() {
    Coordinator saves = saving;
    if (saves != null) {
      saves.saveAndStop();
    }
    return saves != null;
  }

  /** Where results go, once the run has begun. */
  public Path directory() {
    Path known = directory;
    if (known == null) {
      throw new IllegalStateException("the run has not begun");
    }
    return known;
  }

  private Gatherer.Place deployment(Coordinator coordinator) {
    return new Gatherer.Place(coordinator.session(), encryption);
  }
}

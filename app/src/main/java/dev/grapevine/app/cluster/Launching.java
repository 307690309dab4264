package dev.grapevine.app.cluster;

import dev.grapevine.app.DataFolder;
import dev.grapevine.app.console.Interruption;
import dev.grapevine.cluster.ExitCode;
import dev.grapevine.cluster.Patience;
import dev.grapevine.cluster.Rendezvous;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Parts;
import dev.grapevine.launch.CoordinatedRun;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunResult;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.security.RunSecret;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts the workers of a run and looks after it to its end. Where the experiment says so, a worker
 * that was lost is started again from the newest checkpoint while the others wait for it or go on;
 * where that cannot be, the run begins again from there, with new workers.
 */
final class Launching {

  private final Results results;
  private final ClusterOptions options;
  private final DataFolder data;
  private final PrintWriter err;
  private final Function<Parts, Fleet> fleets;
  private final Function<Path, Function<Parts, Fleet>> resumed;
  private volatile @Nullable CoordinatedRun coordinated;

  /** How often a worker, or all, have been started again. */
  private final AtomicInteger restarts = new AtomicInteger();

  /**
   * @param fleets who runs where, for a run of these parts
   * @param resumed the same for one that goes on in a directory
   */
  Launching(
      Results results,
      ClusterOptions options,
      DataFolder data,
      PrintWriter err,
      Function<Parts, Fleet> fleets,
      Function<Path, Function<Parts, Fleet>> resumed) {
    this.results = results;
    this.options = options;
    this.data = data;
    this.err = err;
    this.fleets = fleets;
    this.resumed = resumed;
  }

  /** What a worker is told that goes on with a run. */
  static List<String> goingOn(Path directory, Run run) {
    return List.of(
        "--goes-on",
        directory.toAbsolutePath().normalize().toString(),
        "--after",
        "" + run.firstRound());
  }

  /** Runs it to its end; returns the exit code. */
  int start() {
    try (Interruption interruption = results.interruption(this::stop)) {
      CoordinatedRun.Ended ended = attempt(results.run(), fleets);
      while (mayRestart(ended, interruption)) {
        RunResult failed = ended.result();
        results.restart(failed, restarts.incrementAndGet());
        ended = attempt(results.run(), resumed.apply(failed.directory().path()));
      }
      results.print(ended.result());
      return code(ended, interruption);
    }
  }

  private boolean stop() {
    CoordinatedRun running = coordinated;
    return running != null && running.stop();
  }

  private boolean mayRestart(CoordinatedRun.Ended ended, Interruption interruption) {
    FaultPolicy policy = results.run().experiment().faultPolicy();
    return ended.result().outcome().ending() == Outcome.Ending.FAILED
        && ended.exitCode() != ExitCode.MISTAKE
        && policy.failedNode() == FaultPolicy.FailedNode.RESTART
        && restarts.get() < policy.restarts()
        && !interruption.hasHappened();
  }

  /** Starts a worker again alone, if it may. */
  private boolean startAgain(Workers crew, CoordinatedRun running, int rank, int rounds) {
    int most = results.run().experiment().faultPolicy().restarts();
    if (restarts.get() >= most
        || !crew.startAgain(
            rank,
            List.of("--back-in", running.directory().toString(), "--back-after", "" + rounds))) {
      return false;
    }
    results.comesBack(rank, rounds, restarts.incrementAndGet());
    return true;
  }

  private CoordinatedRun.Ended attempt(Run run, Function<Parts, Fleet> fleetOf) {
    Experiment experiment = run.experiment();
    Parts parts = CoordinatedRun.parts(experiment, data.path());
    Fleet fleet = fleetOf.apply(parts);
    // What means nothing is refused before anybody is started.
    Patience patience = options.patience(experiment);
    options.port(fleet.placement().workers() - 1);
    RunSecret secret = RunSecret.random();
    try (Meeting meeting =
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
      CoordinatedRun running =
          new CoordinatedRun(run, parts, fleet.placement(), patience, options.encryption());
      coordinated = running;
      CoordinatedRun.Ended ended =
          running.start(
              meeting.coordinator(), (rank, rounds) -> startAgain(crew, running, rank, rounds));
      coordinated = null;
      crew.end();
      return ended;
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

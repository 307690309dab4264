package dev.grapevine.app.cluster;

import dev.grapevine.app.console.Interruption;
import dev.grapevine.app.log.LogLevel;
import dev.grapevine.app.log.RunLog;
import dev.grapevine.app.plot.RunPlots;
import dev.grapevine.app.run.LiveView;
import dev.grapevine.app.run.ProgressLine;
import dev.grapevine.app.run.RunSummaryText;
import dev.grapevine.app.run.RunView;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.ProgressListener;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunResult;
import dev.grapevine.runtime.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What a run in many processes shows where it is coordinated, and where its results go. */
final class Results implements AutoCloseable {

  private static final String STOPPING =
      "stopping; what was recorded is kept (Ctrl-C again ends at once)";

  private static final String SAVING =
      "saving at the end of this round, then stopping (Ctrl-C again ends at once)";

  private final CommandSpec spec;
  private final RunLog log;
  private final ProgressLine line = new ProgressLine();
  private final LiveView live;
  private final ProgressListener listener;
  private Run run;

  /**
   * @param run what is run, and where results go
   * @param watches whether a live page shows it
   */
  Results(
      CommandSpec spec,
      Run run,
      boolean savesModels,
      LogLevel logLevel,
      Path data,
      boolean watches) {
    this.spec = spec;
    PrintWriter err = spec.commandLine().getErr();
    log = new RunLog(logLevel, System.err);
    live = new LiveView(err);
    RunView view = new RunView(run.experiment(), line, log, err);
    listener = watches ? live.and(view) : view;
    this.run =
        run.dataDirectory(data)
            .command(CommandLines.typed(spec))
            .listener(listener)
            .savesModels(savesModels);
  }

  /** A run that begins. */
  static Run fresh(Experiment experiment, @Nullable Path directory, boolean replaces) {
    Run run = Run.of(experiment).occupied(replaces ? Run.Occupied.REPLACE : Run.Occupied.BESIDE);
    return directory == null ? run : run.into(directory);
  }

  Run run() {
    return run;
  }

  /** The same run once more, all of its nodes as they were at the newest checkpoint. */
  void restart(RunResult result, int restarts) {
    run = run.restarted(result, restarts);
  }

  /** A worker that was lost is started again while the others wait. */
  void comesBack(int rank, int rounds, int restarts) {
    listener.warning(
        "worker %d is started again with its nodes as they were after round %d (restart %d of %d)"
            .formatted(rank, rounds, restarts, run.experiment().faultPolicy().restarts()));
  }

  /**
   * Turns Ctrl-C into an interrupt of this thread.
   *
   * @param stop saves the run first; false if it cannot
   */
  Interruption interruption(BooleanSupplier stop) {
    return Interruption.ofThisThread(
        () -> line.endWith(run.experiment().checkpoint().isOn() ? SAVING : STOPPING), stop);
  }

  /** Tells how the run ended. */
  void print(RunResult result) {
    line.close();
    StringWriter summary = new StringWriter();
    new RunSummaryText(result, RunPlots.drawInto(result.read()))
        .print(new PrintWriter(summary, true));
    log.info(summary.toString());
    PrintWriter out = spec.commandLine().getOut();
    out.print(summary);
    out.flush();
    live.end(result.outcome().ending() != Outcome.Ending.INTERRUPTED);
  }

  @Override
  public void close() {
    line.close();
    live.close();
    log.close();
  }
}

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
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunResult;
import dev.grapevine.runtime.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What a run in many processes shows where it is coordinated, and where its results go. */
final class Results implements AutoCloseable {

  private static final String STOPPING =
      "stopping; what was recorded is kept (Ctrl-C again ends at once)";

  private final CommandSpec spec;
  private final RunLog log;
  private final ProgressLine line = new ProgressLine();
  private final LiveView live;
  private final Run run;

  Results(
      CommandSpec spec,
      Experiment experiment,
      @Nullable Path directory,
      boolean replaces,
      boolean savesModels,
      LogLevel logLevel,
      Path data) {
    this(spec, experiment, directory, replaces, savesModels, logLevel, data, false);
  }

  Results(
      CommandSpec spec,
      Experiment experiment,
      @Nullable Path directory,
      boolean replaces,
      boolean savesModels,
      LogLevel logLevel,
      Path data,
      boolean watches) {
    this.spec = spec;
    PrintWriter err = spec.commandLine().getErr();
    log = new RunLog(logLevel, System.err);
    live = new LiveView(err);
    RunView view = new RunView(experiment, line, log, err);
    run =
        Run.of(experiment)
            .dataDirectory(data)
            .command(CommandLines.typed(spec))
            .listener(watches ? live.and(view) : view)
            .savesModels(savesModels)
            .occupied(replaces ? Run.Occupied.REPLACE : Run.Occupied.BESIDE);
    if (directory != null) {
      run.into(directory);
    }
  }

  Run run() {
    return run;
  }

  /** Turns Ctrl-C into an interrupt of this thread. */
  Interruption interruption() {
    return Interruption.ofThisThread(() -> line.endWith(STOPPING));
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

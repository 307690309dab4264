package dev.grapevine.app.run;

import dev.grapevine.app.console.Interruption;
import dev.grapevine.app.log.LogLevel;
import dev.grapevine.app.log.RunLog;
import dev.grapevine.app.plot.RunPlots;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunResult;
import dev.grapevine.runtime.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** What commands that run something have in common: how it is shown, stopped and summed up. */
public final class RunSession {

  private static final String STOPPING =
      "stopping; what was recorded is kept (Ctrl-C again ends at once)";

  private static final String SAVING =
      "saving at the end of this round, then stopping (Ctrl-C again ends at once)";

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "What goes into run.log: off, error, warning, info, debug (default info).")
  private LogLevel logLevel = LogLevel.INFO;

  @Option(
      names = "--save-models",
      description = "Keep the final model of every node (safetensors).")
  private boolean savesModels;

  @Option(
      names = "--watch",
      description = "Show a live page on this machine while the run goes; prints its address.")
  private boolean watches;

  public LogLevel logLevel() {
    return logLevel;
  }

  public boolean savesModels() {
    return savesModels;
  }

  public boolean watches() {
    return watches;
  }

  /** Runs it to its end and says how that was; returns the exit code. */
  public int start(Run run, Experiment experiment, CommandSpec spec) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    RunResult result;
    int interrupted;
    LiveView live = new LiveView(err);
    try (RunLog log = new RunLog(logLevel, System.err)) {
      try (TidyHeap heap = TidyHeap.open();
          ProgressLine line = new ProgressLine();
          Interruption interruption =
              Interruption.ofThisThread(
                  () -> line.endWith(experiment.checkpoint().isOn() ? SAVING : STOPPING),
                  run::stop)) {
        RunView view = new RunView(experiment, line, log, err);
        result =
            run.command(commandLine(spec))
                .listener(watches ? live.and(view) : view)
                .savesModels(savesModels)
                .start();
        interrupted = interruption.exitCode();
      } catch (RuntimeException e) {
        log.failure(e);
        live.close();
        throw e;
      }
      StringWriter summary = new StringWriter();
      new RunSummaryText(result, RunPlots.drawInto(result.read()))
          .print(new PrintWriter(summary, true));
      log.info(summary.toString());
      out.print(summary);
    }
    out.flush();
    live.end(result.outcome().ending() != Outcome.Ending.INTERRUPTED);
    return switch (result.outcome().ending()) {
      case DONE, STOPPED -> 0;
      case FAILED, STALLED -> 1;
      case INTERRUPTED -> interrupted;
    };
  }

  private static List<String> commandLine(CommandSpec spec) {
    List<String> command = new ArrayList<>(List.of("grapevine"));
    command.addAll(spec.commandLine().getParent().getParseResult().originalArgs());
    return command;
  }
}

package dev.grapevine.app.run;

import dev.grapevine.UserException;
import dev.grapevine.app.DataFolder;
import dev.grapevine.app.ExperimentFile;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.console.Interruption;
import dev.grapevine.app.log.LogLevel;
import dev.grapevine.app.log.RunLog;
import dev.grapevine.app.plot.RunPlots;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Sweep;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunResult;
import dev.grapevine.runtime.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs an experiment. */
@Command(
    name = "run",
    description = "Run an experiment file.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Ctrl-C stops the run and keeps what it has recorded; a second one stops at once.",
      "Exit codes: 0 done, 1 failed, 2 a mistake in the command or the file, 130 interrupted.",
      "",
      "Example:  grapevine run examples/quickstart.toml --set rounds=40 --set training.rate=0.1"
    })
public final class RunCommand implements Subcommand, Callable<Integer> {

  private static final String STOPPING =
      "stopping; what was recorded is kept (Ctrl-C again ends at once)";

  @Spec private CommandSpec spec;

  @Mixin private ExperimentFile file = new ExperimentFile();

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
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "What goes into run.log: off, error, warning, info, debug (default info).")
  private LogLevel logLevel = LogLevel.INFO;

  @Mixin private DataFolder data = new DataFolder();

  @Option(
      names = "--save-models",
      description = "Keep the final model of every node (safetensors).")
  private boolean savesModels;

  @Option(
      names = "--watch",
      description = "Show a live page on this machine while the run goes; prints its address.")
  private boolean watches;

  @Override
  public Integer call() {
    Experiment experiment = file.read();
    if (Sweep.isIn(experiment)) {
      throw new UserException(
          "%s has a table [sweep], which run would pass over: use grapevine sweep %s, or take the"
                  .formatted(file.path(), file.path())
              + " table out");
    }
    PrintWriter out = spec.commandLine().getOut();
    RunResult result;
    LiveView live = new LiveView(spec.commandLine().getErr());
    try (RunLog log = new RunLog(logLevel, System.err)) {
      try (ProgressLine line = new ProgressLine();
          Interruption interruption = Interruption.ofThisThread(() -> line.endWith(STOPPING))) {
        RunView view = new RunView(experiment, line, log, spec.commandLine().getErr());
        Run run =
            Run.of(experiment)
                .dataDirectory(data.path())
                .command(commandLine())
                .listener(watches ? live.and(view) : view)
                .savesModels(savesModels)
                .forecasts(true)
                .occupied(replaces ? Run.Occupied.REPLACE : Run.Occupied.BESIDE);
        if (directory != null) {
          run.into(directory);
        }
        result = run.start();
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
      case INTERRUPTED -> Interruption.EXIT_CODE;
    };
  }

  private List<String> commandLine() {
    List<String> command = new ArrayList<>(List.of("grapevine"));
    command.addAll(spec.commandLine().getParent().getParseResult().originalArgs());
    return command;
  }
}

package dev.grapevine.app.run;

import dev.grapevine.app.DataFolder;
import dev.grapevine.app.ExperimentFile;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.plot.RunPlots;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunListener;
import dev.grapevine.launch.RunResult;
import dev.grapevine.runtime.Outcome;
import java.io.PrintWriter;
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

  @Spec private CommandSpec spec;

  @Mixin private ExperimentFile file = new ExperimentFile();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go (default: a new folder runs/NAME).")
  private @Nullable Path directory;

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
    PrintWriter out = spec.commandLine().getOut();
    RunResult result;
    LiveView live = new LiveView(spec.commandLine().getErr());
    try (ProgressLine line = new ProgressLine();
        Interruption interruption = Interruption.ofThisThread()) {
      RunProgressText text = new RunProgressText();
      RunListener show = progress -> line.show(text.of(progress));
      Run run =
          Run.of(experiment)
              .dataDirectory(data.path())
              .command(commandLine())
              .listener(watches ? live.and(show) : show)
              .savesModels(savesModels);
      if (directory != null) {
        run.into(directory);
      }
      result = run.start();
    } catch (RuntimeException e) {
      live.close();
      throw e;
    }
    new RunSummaryText(result, RunPlots.drawInto(result.read())).print(out);
    out.flush();
    live.end(result.outcome().ending() != Outcome.Ending.INTERRUPTED);
    return switch (result.outcome().ending()) {
      case DONE -> 0;
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

package dev.grapevine.app.run;

import dev.grapevine.app.Subcommand;
import dev.grapevine.app.plot.RunPlots;
import dev.grapevine.data.fetch.DataDirectory;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
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

  @Parameters(paramLabel = "FILE", description = "The experiment file (TOML).")
  private Path file;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Set any key of the file anew, such as training.rate=0.1; may be repeated.")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where results go (default: a new folder runs/NAME).")
  private @Nullable Path directory;

  @Option(
      names = "--data-dir",
      paramLabel = "FOLDER",
      description =
          "Where data sets are kept (default: $GRAPEVINE_DATA, else grapevine in the user's cache"
              + " folder).")
  private @Nullable Path dataDirectory;

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
    Experiment experiment = Experiment.read(file, assignments);
    PrintWriter out = spec.commandLine().getOut();
    RunResult result;
    LiveView live = new LiveView(spec.commandLine().getErr());
    try (ProgressLine line = new ProgressLine();
        Interruption interruption = Interruption.ofThisThread()) {
      RunProgressText text = new RunProgressText();
      RunListener show = progress -> line.show(text.of(progress));
      Run run =
          Run.of(experiment)
              .dataDirectory(
                  DataDirectory.locate(
                      dataDirectory,
                      System.getenv(),
                      Path.of(System.getProperty("user.home", "."))))
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

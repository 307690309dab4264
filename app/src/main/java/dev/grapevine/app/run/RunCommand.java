package dev.grapevine.app.run;

import dev.grapevine.UserException;
import dev.grapevine.app.DataFolder;
import dev.grapevine.app.ExperimentFile;
import dev.grapevine.app.Subcommand;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Sweep;
import dev.grapevine.launch.Run;
import java.nio.file.Path;
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
      "Ctrl-C stops the run and keeps what it has recorded; a second one stops at once. With",
      "checkpoints the run is saved first, at the end of the round.",
      "Exit codes: 0 done, 1 failed, 2 a mistake in the command or the file, 130 interrupted,",
      "143 terminated.",
      "",
      "Example:  grapevine run examples/quickstart.toml --set rounds=40 --set training.rate=0.1"
    })
public final class RunCommand implements Subcommand, Callable<Integer> {

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
      names = "--checkpoint",
      paramLabel = "ROUNDS",
      description =
          "Save the state of all nodes after every so many rounds, for grapevine resume; the same as"
              + " --set checkpoint.every=ROUNDS.")
  private @Nullable Integer checkpoint;

  @Mixin private DataFolder data = new DataFolder();

  @Mixin private RunSession session = new RunSession();

  @Override
  public Integer call() {
    Experiment experiment = file.read();
    if (checkpoint != null) {
      experiment = experiment.with("checkpoint.every", checkpoint.toString());
    }
    if (Sweep.isIn(experiment)) {
      throw new UserException(
          "%s has a table [sweep], which run would pass over: use grapevine sweep %s, or take the"
                  .formatted(file.path(), file.path())
              + " table out");
    }
    Run run =
        Run.of(experiment)
            .dataDirectory(data.path())
            .forecasts(true)
            .occupied(replaces ? Run.Occupied.REPLACE : Run.Occupied.BESIDE);
    if (directory != null) {
      run.into(directory);
    }
    return session.start(run, experiment, spec);
  }
}

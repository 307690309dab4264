package dev.grapevine.app.run;

import dev.grapevine.app.DataFolder;
import dev.grapevine.app.Subcommand;
import dev.grapevine.launch.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Branches off a run with something changed. */
@Command(
    name = "fork",
    description = {
      "Go on from a checkpoint of a run with other settings, in a directory of its own.",
      "The parent stays as it is. What was recorded up to the checkpoint is copied, so that compare",
      "and plot show the fork as a branch. A sharing scheme or protocol that is another starts",
      "empty."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 done, 1 failed, 2 a mistake in the command, 130 interrupted, 143 terminated.",
      "",
      "Example:  grapevine fork runs/quickstart --at 10 --set sharing.kind=jwins++"
    })
public final class ForkCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RUN", description = "The directory of a run with checkpoints.")
  private Path directory;

  @Option(
      names = "--at",
      paramLabel = "ROUND",
      description = "After how many rounds (default: the newest checkpoint).")
  private @Nullable Integer at;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Set any key of the experiment anew; may be repeated.")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where results go (default: RUN-fork). If a run is there already, the next free name is"
              + " taken: DIR-2, DIR-3 ...")
  private @Nullable Path out;

  @Mixin private DataFolder data = new DataFolder();

  @Mixin private RunSession session = new RunSession();

  @Override
  public Integer call() {
    Run run =
        Run.fork(directory, at == null ? OptionalInt.empty() : OptionalInt.of(at), assignments)
            .dataDirectory(data.path());
    if (out != null) {
      run.into(out);
    }
    return session.start(run, run.experiment(), spec);
  }
}

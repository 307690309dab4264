package dev.grapevine.app.cluster;

import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.results.HostName;
import dev.grapevine.results.MergedParts;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SignsOfLife;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Puts what workers recorded for themselves into the files of the whole run. */
@Command(
    name = "merge",
    description = {
      "Put what the workers of a launched run recorded for themselves into the run's own files.",
      "Needed only where the launcher died: otherwise all is there. Parts that are on other machines",
      "must be copied to RUN/parts first."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:  grapevine merge runs/quickstart"})
public final class MergeCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RUN", description = "The directory of a launched run.")
  private Path directory;

  @Override
  public Integer call() {
    SavedRun run = SavedRun.readWithoutMetrics(directory);
    if (mayGoOn(run)) {
      throw new UserException(
          "%s still goes on: its launcher gathers everything itself".formatted(directory));
    }
    MergedParts merged = MergedParts.in(run.directory());
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        String.format(
            Locale.ROOT,
            "merged %d parts into %s: %,d figures, %,d of them new",
            merged.parts(),
            directory,
            merged.figures(),
            merged.added()));
    out.flush();
    return 0;
  }

  /** A launcher on another machine can only be told by what it has written lately. */
  private static boolean mayGoOn(SavedRun run) {
    boolean isElsewhere =
        run.provenance()
            .filter(json -> !json.path("host").asString("").equals(HostName.here()))
            .isPresent();
    return run.outcome().equals(SavedRun.RUNNING)
        && (isElsewhere || SignsOfLife.isOtherProcessThere(run.provenance()));
  }
}

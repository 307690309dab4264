package dev.grapevine.app.replay;

import dev.grapevine.app.DataFolder;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.console.Interruption;
import dev.grapevine.app.run.ProgressLine;
import dev.grapevine.app.run.RunProgressText;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunResult;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
import dev.grapevine.runtime.Outcome;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a recorded experiment again and says whether the result is the same. */
@Command(
    name = "replay",
    description = {
      "Run a recorded experiment again and say whether the result is identical.",
      "Every recorded figure is compared bit by bit, but those that the clock decides: seconds, and",
      "in a live run the bytes received by the end of a round. A fork branches off its parent again."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 identical, 1 different, 2 a mistake in the command, 130 interrupted.",
      "",
      "Example:  grapevine replay runs/quickstart"
    })
public final class ReplayCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RUN", description = "The directory of a run.")
  private Path directory;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the new results go (default: a new folder RUN-replay).")
  private @Nullable Path out;

  @Mixin private DataFolder data = new DataFolder();

  @Override
  public Integer call() {
    SavedRun recorded = SavedRun.read(directory);
    RunResult repeated = repeat(recorded);
    PrintWriter print = spec.commandLine().getOut();
    print.println("replayed      " + directory);
    print.println("results       " + repeated.directory().path());
    if (repeated.outcome().ending() == Outcome.Ending.INTERRUPTED) {
      print.println("verdict       unknown: the replay was interrupted");
      print.flush();
      return Interruption.EXIT_CODE;
    }
    Replay replay = Replay.compare(recorded, repeated.read(), recorded.isComplete());
    print(replay, recorded, repeated, print);
    print.flush();
    return replay.isIdentical() ? 0 : 1;
  }

  private RunResult repeat(SavedRun recorded) {
    try (ProgressLine line = new ProgressLine();
        Interruption interruption = Interruption.ofThisThread()) {
      RunProgressText text = new RunProgressText();
      return Run.again(recorded)
          .dataDirectory(data.path())
          .command(List.of("grapevine", "replay", directory.toString()))
          .listener(progress -> line.show(text.of(progress)))
          .into(out == null ? besideTheRun() : out)
          .start();
    }
  }

  private Path besideTheRun() {
    Path absolute = directory.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    return RunDirectory.createIn(
            parent == null ? absolute : parent, absolute.getFileName() + "-replay")
        .path();
  }

  private static void print(Replay replay, SavedRun recorded, RunResult repeated, PrintWriter out) {
    if (!recorded.isComplete()) {
      out.println(
          "note          the recorded run did not come to its end; what it has is compared");
    }
    if (replay.compared() == 0) {
      out.println("note          the recorded run has no figures to compare");
    }
    replay.notes().forEach(note -> out.println("different     " + note));
    replay.first().ifPresent(first -> out.println("different     first in " + text(first)));
    repeated.outcome().traceHash().ifPresent(hash -> out.println("trace hash    " + hash));
    out.println(
        replay.isIdentical()
            ? String.format(Locale.ROOT, "verdict       identical: %,d figures", replay.compared())
            : String.format(
                Locale.ROOT,
                "verdict       different: %,d of %,d figures",
                replay.different(),
                replay.compared()));
  }

  private static String text(Replay.Difference first) {
    return "round %d, %s, %s: recorded %s, now %s"
        .formatted(
            first.round() + 1,
            first.node() == Metrics.WHOLE_RUN ? "all nodes" : "node " + first.node(),
            first.metric(),
            number(first.recorded()),
            number(first.repeated()));
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "nothing" : Double.toString(value);
  }
}

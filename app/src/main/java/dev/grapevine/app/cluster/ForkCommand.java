package dev.grapevine.app.cluster;

import dev.grapevine.app.DataFolder;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.run.RunSession;
import dev.grapevine.experiment.Parts;
import dev.grapevine.launch.Run;
import dev.grapevine.results.RunDirectory;
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
      "The parent stays as it is. What was recorded up to the checkpoint is copied, so that compare"
          + " and plot show the fork as a branch. A part that is changed, such as the sharing scheme,"
          + " starts empty."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 done, 1 failed, 2 a mistake in the command, 75 a worker was lost: try again,"
          + " 130 interrupted, 143 terminated.",
      "",
      "Example:  grapevine fork runs/quickstart --at 10 --set sharing.kind=jwins++",
      "          grapevine fork runs/quickstart --set topology.kind=ring --workers 4"
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

  @Mixin private FleetOptions machines = new FleetOptions();

  @Mixin private ClusterOptions options = new ClusterOptions();

  @Override
  public Integer call() {
    Run run =
        Run.fork(directory, at == null ? OptionalInt.empty() : OptionalInt.of(at), assignments)
            .dataDirectory(data.path());
    if (out != null) {
      run.into(out);
    }
    return machines.isChosen() ? launch(run) : session.start(run, run.experiment(), spec);
  }

  private int launch(Run run) {
    try (Results results =
        new Results(
            spec, run, session.savesModels(), session.logLevel(), data.path(), session.watches())) {
      List<String> branchesOff = new ArrayList<>(Launching.goingOn(directory, run));
      branchesOff.add("--forks");
      return new Launching(
              results,
              options,
              data,
              spec.commandLine().getErr(),
              parts -> fleet(parts, directory, assignments, branchesOff),
              // Once it has begun it is a run like any other.
              again ->
                  parts -> fleet(parts, again, List.of(), Launching.goingOn(again, results.run())))
          .start();
    }
  }

  private Fleet fleet(Parts parts, Path from, List<String> settings, List<String> goingOn) {
    List<String> more = new ArrayList<>(options.forWorkers());
    more.addAll(goingOn);
    return machines.fleet(
        parts,
        new Fleet.Orders(
            new RunDirectory(from).experimentFile(),
            settings,
            machines.dataFolder(data),
            session.logLevel(),
            List.copyOf(more)),
        new EngineOptions());
  }
}

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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Goes on with a run that was cut off. */
@Command(
    name = "resume",
    description = {
      "Go on with a run that was stopped or killed, from its newest checkpoint.",
      "It ends as if it had never been cut. The run must have saved itself on its way: see"
          + " --checkpoint of grapevine run."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 done, 1 failed, 2 a mistake in the command, 75 a worker was lost: try again,"
          + " 130 interrupted, 143 terminated.",
      "",
      "Example:  grapevine resume runs/quickstart",
      "          grapevine resume runs/quickstart --workers 4"
    })
public final class ResumeCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RUN", description = "The directory of a run.")
  private Path directory;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Set a key anew that has no say in the results, such as runtime.threads=4; may be"
              + " repeated.")
  private List<String> assignments = new ArrayList<>();

  @Mixin private DataFolder data = new DataFolder();

  @Mixin private RunSession session = new RunSession();

  @Mixin private FleetOptions machines = new FleetOptions();

  @Mixin private ClusterOptions options = new ClusterOptions();

  @Override
  public Integer call() {
    Run run = Run.resume(directory, assignments).dataDirectory(data.path());
    return machines.isChosen() ? launch(run) : session.start(run, run.experiment(), spec);
  }

  /** With as many processes as one likes, however many there were. */
  private int launch(Run run) {
    try (Results results =
        new Results(
            spec, run, session.savesModels(), session.logLevel(), data.path(), session.watches())) {
      return new Launching(
              results,
              options,
              data,
              spec.commandLine().getErr(),
              parts -> fleet(parts, assignments, results.run()),
              again -> parts -> fleet(parts, List.of(), results.run()))
          .start();
    }
  }

  private Fleet fleet(Parts parts, List<String> settings, Run run) {
    List<String> more = new ArrayList<>(options.forWorkers());
    more.addAll(Launching.goingOn(directory, run));
    return machines.fleet(
        parts,
        new Fleet.Orders(
            new RunDirectory(directory).experimentFile(),
            settings,
            machines.dataFolder(data),
            session.logLevel(),
            List.copyOf(more)),
        new EngineOptions());
  }
}

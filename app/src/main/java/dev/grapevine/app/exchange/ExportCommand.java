package dev.grapevine.app.exchange;

import dev.grapevine.app.Subcommand;
import dev.grapevine.results.RunResults;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a run's results in another system's format. */
@Command(
    name = "export",
    description = "Writes a run's results in the format of another system.",
    mixinStandardHelpOptions = true)
public final class ExportCommand implements Subcommand, Callable<Integer> {

  /** What can be written. */
  enum Format {
    /** One {@code <rank>_results.json} a node. */
    DECENTRALIZEPY
  }

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RUN", description = "A run directory.")
  private Path run;

  @Option(
      names = "--format",
      required = true,
      description = "decentralizepy: one <rank>_results.json for every node.")
  private Format format;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the files go; by default a directory inside the run.")
  private @Nullable Path out;

  @Override
  public Integer call() {
    RunResults results = RunResults.read(run);
    Path directory = out != null ? out : run.resolve("decentralizepy");
    int nodes =
        switch (format) {
          case DECENTRALIZEPY -> DecentralizePyResults.write(results, directory);
        };
    spec.commandLine().getOut().println(nodes + " files in " + directory);
    spec.commandLine().getOut().flush();
    return 0;
  }
}

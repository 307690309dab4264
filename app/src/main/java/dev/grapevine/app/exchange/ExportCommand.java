package dev.grapevine.app.exchange;

import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.plot.ReadableRuns;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.SavedRun;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
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
    description = "Writes results of runs in the format of another system.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  grapevine export runs/quickstart-sweep --format tensorboard   then: tensorboard --logdir tensorboard",
      "  grapevine export runs/quickstart-sweep --format mlflow        then: mlflow ui",
      "  grapevine export runs/quickstart-sweep --format csv --out all.csv"
    })
public final class ExportCommand implements Subcommand, Callable<Integer> {

  /** What can be written. */
  enum Format {
    /** One {@code <rank>_results.json} a node. */
    DECENTRALIZEPY,
    /** One event file a run. */
    TENSORBOARD,
    /** A file store. */
    MLFLOW,
    /** One tidy table of all runs. */
    CSV
  }

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      description = "Run directories, or directories of sweeps.")
  private List<Path> runs;

  @Option(
      names = "--format",
      required = true,
      description = {
        "decentralizepy: one <rank>_results.json for every node of one run;",
        "tensorboard: an event file a run;",
        "mlflow: a file store that mlflow ui opens;",
        "csv: one tidy table, a row a value."
      })
  private Format format;

  @Option(
      names = "--out",
      paramLabel = "PATH",
      description =
          "Where it goes; by default a directory inside the run, tensorboard, mlruns or runs.csv.")
  private @Nullable Path out;

  @Override
  public Integer call() {
    PrintWriter print = spec.commandLine().getOut();
    List<SavedRun> results = ReadableRuns.read(runs, spec.commandLine().getErr());
    switch (format) {
      case DECENTRALIZEPY -> {
        if (results.size() > 1) {
          throw new UserException("decentralizepy's format holds one run: give one directory");
        }
        Path directory =
            out != null ? out : results.getFirst().directory().path().resolve("decentralizepy");
        int nodes = DecentralizePyResults.write(results.getFirst(), directory);
        print.println(nodes + " files in " + directory);
        if (results.getFirst().metric(Metrics.TRAINING_SET_LOSS).isEmpty()) {
          print.println(
              "train_loss is empty: DecentralizePy's is taken over all training samples of a node,"
                  + " which evaluation.training-set = true records");
        }
      }
      case TENSORBOARD -> {
        Path directory = out != null ? out : Path.of("tensorboard");
        for (SavedRun run : results) {
          String name =
              run.directory().path().toAbsolutePath().normalize().getFileName().toString();
          TensorBoardEvents.write(run, directory.resolve(name));
        }
        print.println(results.size() + " runs in " + directory);
      }
      case MLFLOW -> {
        Path store = out != null ? out : Path.of("mlruns");
        results.forEach(run -> MlflowStore.write(run, store));
        print.println(results.size() + " runs in " + store);
      }
      case CSV -> {
        Path file = out != null ? out : Path.of("runs.csv");
        TidyTable.write(results, file);
        print.println(results.size() + " runs in " + file);
      }
    }
    print.flush();
    return 0;
  }
}

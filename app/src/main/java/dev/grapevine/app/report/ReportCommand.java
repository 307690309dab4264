package dev.grapevine.app.report;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.plot.ReadableRuns;
import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes runs as one HTML page. */
@Command(
    name = "report",
    description = {
      "Write one HTML page about runs: what was run, curves, topology, how data is spread, nodes,",
      "provenance. The page needs no network; send it by mail if you like."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:  grapevine report runs/quickstart"})
public final class ReportCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "RUN", description = "Run directories.")
  private List<Path> runs;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The page; by default report.html in the run, or here for several runs.")
  private @Nullable Path out;

  @Option(
      names = "--unfinished",
      description = "Take in runs that were cut off, have failed or still go, too.")
  private boolean unfinished;

  @Override
  public Integer call() {
    List<SavedRun> results =
        ReadableRuns.select(runs, unfinished, spec.commandLine().getErr()).runs();
    Path file = out != null ? out : standard(results);
    try {
      Path parent = file.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.writeString(file, PageFile.html(PageData.of(results)));
    } catch (IOException e) {
      throw new UserException("cannot write the report " + file + ": " + FileProblem.reason(e), e);
    }
    spec.commandLine().getOut().println(file);
    spec.commandLine().getOut().flush();
    return 0;
  }

  private static Path standard(List<SavedRun> results) {
    return results.size() == 1
        ? results.getFirst().directory().path().resolve("report.html")
        : Path.of("report.html");
  }
}

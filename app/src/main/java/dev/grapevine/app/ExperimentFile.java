package dev.grapevine.app;

import dev.grapevine.experiment.Experiment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What commands that take an experiment have in common: its file, and keys that are set anew. */
public final class ExperimentFile {

  @Parameters(paramLabel = "FILE", description = "The experiment file (TOML).")
  private Path path;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Set any key of the file anew, such as training.rate=0.1; may be repeated.")
  private List<String> assignments = new ArrayList<>();

  public Path path() {
    return path;
  }

  /** The keys that are set anew, as they were given. */
  public List<String> assignments() {
    return List.copyOf(assignments);
  }

  public Experiment read() {
    return Experiment.read(path, assignments);
  }
}

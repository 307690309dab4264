package dev.grapevine.launch;

import dev.grapevine.data.fetch.DataDirectory;
import dev.grapevine.engine.Safetensors;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.learning.ModelLearner;
import dev.grapevine.results.MetricsWriter;
import dev.grapevine.results.Provenance;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.RunResults;
import dev.grapevine.results.Sample;
import dev.grapevine.results.Summary;
import dev.grapevine.runtime.NodeOutcome;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.topology.Graph;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A run of an experiment, to be described and then {@linkplain #start started}. Results go to a
 * directory while the run goes, so that nothing is lost when it is cut off.
 */
public final class Run {

  private final Experiment experiment;
  private @Nullable Path directory;
  private Path dataDirectory = DataDirectory.locate();
  private List<String> command = List.of();
  private RunListener listener = progress -> {};
  private boolean savesModels;

  private Run(Experiment experiment) {
    this.experiment = experiment;
  }

  public static Run of(Experiment experiment) {
    return new Run(experiment);
  }

  /** Where results go: a directory that is empty or not there yet; by default {@code runs/NAME}. */
  public Run into(Path directory) {
    this.directory = directory;
    return this;
  }

  /** Where fetched data sets are, if not in the usual place. */
  public Run dataDirectory(Path dataDirectory) {
    this.dataDirectory = dataDirectory;
    return this;
  }

  /** What was typed to start it; recorded. */
  public Run command(List<String> command) {
    this.command = List.copyOf(command);
    return this;
  }

  public Run listener(RunListener listener) {
    this.listener = listener;
    return this;
  }

  /** Whether the final model of every node is kept. */
  public Run savesModels(boolean savesModels) {
    this.savesModels = savesModels;
    return this;
  }

  /**
   * Runs the experiment to its end. When the calling thread is interrupted, the run stops early;
   * what was recorded until then is kept, and the result says so.
   *
   * @throws dev.grapevine.UserException when the parts do not fit together or data is missing
   */
  public RunResult start() {
    Assembly assembly = new Assembly(experiment, dataDirectory);
    RunDirectory target =
        directory == null
            ? RunDirectory.createIn(Path.of("runs"), experiment.name())
            : RunDirectory.create(directory);
    target.writeExperiment(experiment.toToml());
    target.writeProvenance(
        Provenance.here(
            Version.TEXT,
            command,
            experiment.directory(),
            experiment.seed(),
            DataFingerprint.of(assembly.data())));
    target.writeTopology(Graph.of(assembly.topology(), 0));
    target.writeData(assembly.classCounts());
    listener.begun(target);
    Outcome outcome;
    try (MetricsWriter metrics = target.metrics()) {
      Recorder recorder = new Recorder(experiment, assembly, metrics, target::writeLinks, listener);
      outcome = assembly.runtime().run(assembly.plan(), recorder);
      recorder.writeLinks();
    }
    if (savesModels) {
      saveModels(assembly, target);
    }
    assembly.shareCounts().ifPresent(target::writeShareCounts);
    Summary summary =
        Summary.of(
            ending(outcome, assembly), totals(outcome.nodes()), RunResults.read(target.path()));
    target.writeSummary(summary);
    return new RunResult(target, outcome, summary);
  }

  private Summary.Ending ending(Outcome outcome, Assembly assembly) {
    return new Summary.Ending(
        outcome.ending().name().toLowerCase(Locale.ROOT),
        outcome.reason(),
        experiment.name(),
        experiment.seed(),
        experiment.rounds(),
        assembly.learners().size(),
        outcome.wallTime(),
        outcome.virtualTime(),
        outcome.traceHash(),
        ProcessMemory.peakBytes());
  }

  private static Summary.Totals totals(List<NodeOutcome> nodes) {
    return new Summary.Totals(
        Sample.of(nodes.stream().mapToDouble(node -> node.traffic().bytesSent()).toArray()),
        Sample.of(nodes.stream().mapToDouble(node -> node.traffic().bytesReceived()).toArray()),
        nodes.stream().mapToDouble(node -> node.phases().training().toNanos() / 1e9).sum());
  }

  private static void saveModels(Assembly assembly, RunDirectory target) {
    List<ModelLearner> learners = assembly.learners();
    try {
      for (int node = 0; node < learners.size(); node++) {
        Safetensors.write(
            target.modelFile(node), assembly.model().parameters(), learners.get(node).parameters());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot save the models to " + target.path(), e);
    }
  }
}

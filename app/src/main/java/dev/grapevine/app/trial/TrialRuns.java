package dev.grapevine.app.trial;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.engine.Safetensors;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Small runs of an experiment with an own part in it; their results go when it is closed. */
final class TrialRuns implements AutoCloseable {

  static final int NODES = 6;

  private static final String EXPERIMENT =
      """
      name = "trial"
      rounds = 6
      [nodes]
      count = %d
      [topology]
      kind = "ring"
      [data]
      set = "blobs"
      samples = 300
      classes = 4
      dimensions = 6
      partition = "iid"
      [model]
      kind = "logistic"
      [training]
      rate = 0.1
      [evaluation]
      every = 3
      [runtime]
      kind = "simulated"
      [faults]
      deadline = "2 s"
      """
          .formatted(NODES);

  private final Experiment experiment;
  private final Path folder;
  private int runs;

  /**
   * @param settings of the own part, as {@code --set} takes them
   */
  TrialRuns(List<String> settings) {
    experiment = Experiment.parse(EXPERIMENT).with(settings);
    try {
      folder = Files.createTempDirectory("grapevine-try-");
    } catch (IOException e) {
      throw new UserException(
          "cannot create a folder for the trial runs: " + FileProblem.reason(e), e);
    }
  }

  /** Runs it with some keys set anew. */
  RunResult run(String... settings) {
    return Run.of(experiment.with(List.of(settings)))
        .into(folder.resolve("run-" + runs++))
        .sharesProcess(true)
        .savesModels(true)
        .start();
  }

  /** The final model of every node. */
  static List<float[]> models(RunResult result) {
    List<float[]> models = new ArrayList<>();
    try {
      for (int node = 0; node < NODES; node++) {
        models.add(values(result.directory().modelFile(node)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return models;
  }

  private static float[] values(Path file) throws IOException {
    List<ParameterBlock> blocks = Safetensors.blocks(file);
    float[] values = new float[blocks.stream().mapToInt(ParameterBlock::size).sum()];
    Safetensors.read(file, blocks, values);
    return values;
  }

  @Override
  public void close() {
    try (Stream<Path> inside = Files.walk(folder)) {
      for (Path file : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException left) {
      // In the system's folder for temporary files; it goes in time.
    }
  }
}

package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.engine.Model;
import dev.grapevine.engine.ModelOptions;
import dev.grapevine.engine.Models;
import dev.grapevine.engine.Norm;
import dev.grapevine.engine.Safetensors;
import dev.grapevine.experiment.Experiment;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SavedModelsTest {

  @TempDir private Path folder;

  /** Node 1 has another normalisation, with as many parameters but running statistics besides. */
  private static final String TWO_NORMS =
      """
      name = "two norms"
      rounds = 1
      [nodes]
      count = 2
      [topology]
      kind = "ring"
      [data]
      set = "digits"
      partition = "iid"
      [model]
      kind = "resnet20"
      [training]
      steps = 1
      batch-size = 2
      [evaluation]
      every = 0
      [[override]]
      nodes = "1"
      model.norm = "batch"
      """;

  private static Model model(Norm norm) {
    return Models.named(
        "resnet20", ModelOptions.DEFAULTS.withInput(1, 8).withClasses(10).withNorm(norm, false));
  }

  @Test
  void everyNodesOwnModelIsSavedWithItsRunningStatistics() throws Exception {
    RunResult result =
        Run.of(Experiment.parse(TWO_NORMS)).into(folder.resolve("run")).savesModels(true).start();

    Model group = model(Norm.GROUP);
    float[] first = new float[group.parameterCount()];
    Safetensors.read(result.directory().modelFile(0), group, first, new float[0]);
    assertThat(first).doesNotContain(Float.NaN);

    Model batch = model(Norm.BATCH);
    float[] second = new float[batch.parameterCount()];
    float[] statistics = new float[batch.statisticsCount()];
    Safetensors.read(result.directory().modelFile(1), batch, second, statistics);
    assertThat(second).isEqualTo(first);
    float[] untrained = new float[statistics.length];
    batch.initialize(new float[batch.parameterCount()], untrained, new SplittableRandom(1));
    assertThat(statistics).isNotEqualTo(untrained).doesNotContain(Float.NaN);
  }
}

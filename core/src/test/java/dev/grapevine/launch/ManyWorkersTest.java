package dev.grapevine.launch;

import static dev.grapevine.launch.WorkersHere.models;
import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.SavedRun;
import dev.grapevine.runtime.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers in one process that know each other only over the network. */
final class ManyWorkersTest {

  @TempDir private Path folder;

  private static final String EXPERIMENT =
      """
      name = "many"
      rounds = 4
      seed = 7
      [nodes]
      count = 8
      same-start = false
      [topology]
      kind = "regular"
      degree = 3
      [data]
      set = "digits"
      partition = "iid"
      [model]
      kind = "mlp"
      hidden = 8
      [training]
      steps = 2
      batch-size = 4
      [evaluation]
      every = 2
      samples = 50
      average-model = true
      consensus = true
      link-traffic = true
      """;

  private static Experiment experiment(String text) {
    return Experiment.parse(text, Path.of("many.toml"));
  }

  private CoordinatedRun.Ended run(String text, int workers, Path target) throws Exception {
    return new WorkersHere(folder).run(experiment(text), workers, target);
  }

  private static String figures(Path run, String metric) {
    var column = SavedRun.read(run).metric(metric).orElseThrow();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < column.rounds(); i++) {
      text.append(column.round(i)).append(java.util.Arrays.toString(column.values(i)));
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void anyPlacementGivesTheSameModelsAndAverages(int workers) throws Exception {
    Path alone = folder.resolve("alone");
    RunResult one = Run.of(experiment(EXPERIMENT)).into(alone).savesModels(true).start();
    assertThat(one.outcome().ending()).isEqualTo(Outcome.Ending.DONE);

    Path together = folder.resolve("together");
    CoordinatedRun.Ended ended = run(EXPERIMENT, workers, together);

    assertThat(ended.result().outcome().reason()).isEmpty();
    assertThat(ended.exitCode()).isZero();
    assertThat(models(together)).hasSize(8).containsExactlyElementsOf(models(alone));
    for (String metric :
        List.of(
            "test_accuracy", "test_loss", "average_accuracy", "consensus_distance", "bytes_sent")) {
      assertThat(figures(together, metric)).as(metric).isEqualTo(figures(alone, metric));
    }
    assertThat(Files.readString(together.resolve("links.csv")))
        .isEqualTo(Files.readString(alone.resolve("links.csv")));
    assertThat(together.resolve("parts/worker-0/metrics.csv")).exists();
    assertThat(together.resolve("deployment.json")).exists();
  }

  @Test
  void aServerAtWorkerZeroServesClientsEverywhere() throws Exception {
    String text = EXPERIMENT + "[protocol]\nkind = \"federated\"\n";
    RunResult one =
        Run.of(experiment(text)).into(folder.resolve("alone")).savesModels(true).start();
    CoordinatedRun.Ended ended = run(text, 4, folder.resolve("together"));

    assertThat(ended.result().outcome().reason()).isEmpty();
    assertThat(models(folder.resolve("together")))
        .hasSize(one.outcome().nodes().size())
        .containsExactlyElementsOf(models(folder.resolve("alone")));
  }
}

package dev.grapevine.launch;

import static dev.grapevine.launch.WorkersHere.models;
import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.SavedRun;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.security.WorkerIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workers in one process that know each other only over the network. */
final class ManyWorkersTest {

  @TempDir private Path folder;

  private static final String EXPERIMENT =
      """
      name = "many"
      rounds = 4
      seed = 7
      [nodes]
      count = 16
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
  @CsvSource({"1, false", "4, false", "16, false", "1, true", "4, true", "16, true"})
  void anyPlacementGivesTheSameModelsAndAverages(int workers, boolean encrypts) throws Exception {
    Path alone = folder.resolve("alone");
    RunResult one = Run.of(experiment(EXPERIMENT)).into(alone).savesModels(true).start();
    assertThat(one.outcome().ending()).isEqualTo(Outcome.Ending.DONE);

    Path together = folder.resolve("together");
    Map<Integer, WorkerIdentity> identities = new ConcurrentHashMap<>();
    WorkersHere here =
        new WorkersHere(
            folder,
            rank ->
                encrypts
                    ? Optional.of(
                        identities.computeIfAbsent(
                            rank, own -> WorkerIdentity.selfSigned("worker " + own)))
                    : Optional.empty());
    CoordinatedRun.Ended ended = here.run(experiment(EXPERIMENT), workers, together);

    assertThat(ended.result().outcome().reason()).isEmpty();
    assertThat(ended.exitCode()).isZero();
    assertThat(models(together)).hasSize(16).containsExactlyElementsOf(models(alone));
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

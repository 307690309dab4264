package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.cluster.Coordinator;
import dev.grapevine.cluster.Joining;
import dev.grapevine.cluster.Patience;
import dev.grapevine.cluster.Placement;
import dev.grapevine.cluster.Rank;
import dev.grapevine.cluster.Rendezvous;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Parts;
import dev.grapevine.results.SavedRun;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.security.LinkSecurity;
import dev.grapevine.security.RunSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  /** Runs an experiment with so many workers in this process. */
  private CoordinatedRun.Ended run(String text, int workers, Path target) throws Exception {
    RunSecret secret = RunSecret.random();
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (Coordinator coordinator = new Coordinator(LinkSecurity.loopback(secret), loopback, 0);
        ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      List<Future<Integer>> codes = new ArrayList<>();
      for (int rank = 0; rank < workers; rank++) {
        int own = rank;
        codes.add(threads.submit(() -> work(text, new Rank(own, workers), secret, coordinator)));
      }
      Experiment experiment = experiment(text);
      Parts parts = CoordinatedRun.parts(experiment, folder);
      CoordinatedRun.Ended ended =
          new CoordinatedRun(
                  Run.of(experiment).into(target).savesModels(true),
                  parts,
                  Placement.blocks(parts.learners(), parts.nodes(), workers),
                  Patience.USUAL,
                  "auto")
              .start(coordinator);
      for (Future<Integer> code : codes) {
        assertThat(code.get()).isEqualTo(ended.exitCode());
      }
      return ended;
    }
  }

  private int work(String text, Rank rank, RunSecret secret, Coordinator coordinator)
      throws InterruptedException {
    Experiment experiment = experiment(text);
    Parts parts = CoordinatedRun.parts(experiment, folder);
    Placement placement = Placement.blocks(parts.learners(), parts.nodes(), rank.world());
    return new WorkerRun(experiment, parts, placement, rank, List.of())
        .start(
            new Joining(
                rank,
                LinkSecurity.loopback(secret),
                Optional.empty(),
                new Joining.Manner(Optional.empty(), 0, 2, 1 << 20, Patience.USUAL)),
            new Rendezvous.At("127.0.0.1", coordinator.port()),
            (session, part) -> {});
  }

  private static List<byte[]> models(Path run) throws IOException {
    List<byte[]> models = new ArrayList<>();
    for (int node = 0;
        Files.exists(run.resolve("models/node-%d.safetensors".formatted(node)));
        node++) {
      models.add(Files.readAllBytes(run.resolve("models/node-%d.safetensors".formatted(node))));
    }
    return models;
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

package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.checkpoint.SavedCut;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.SavedRun;
import dev.grapevine.runtime.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs in many processes that are saved, and go on with as many or as few as one likes. */
final class SavedWorkersTest {

  private static final String FILE =
      """
      name = "saved"
      rounds = 7
      [nodes]
      count = 16
      same-start = false
      [topology]
      kind = "regular"
      degree = 3
      [data]
      set = "blobs"
      [model]
      kind = "logistic"
      [training]
      optimizer = "adam"
      batch-size = 8
      [evaluation]
      every = 1
      average-model = true
      link-traffic = true
      [checkpoint]
      every = 2
      [runtime]
      kind = "live"
      """;

  @TempDir private Path folder;

  private static Experiment experiment(String protocol) {
    return Experiment.parse(FILE).with("protocol.kind", protocol);
  }

  private void run(Run run, int workers) throws Exception {
    run.savesModels(true).sharesProcess(true);
    if (workers == 0) {
      run.start();
    } else {
      assertThat(new WorkersHere(folder).run(run, workers, ready -> {}).result().outcome().reason())
          .isEmpty();
    }
  }

  private static void assertSame(Path run, Path whole) throws IOException {
    assertThat(figures(run)).isEqualTo(figures(whole)).isNotEmpty();
    List<Path> models = models(whole);
    assertThat(models).hasSizeGreaterThanOrEqualTo(16);
    for (Path model : models) {
      assertThat(run.resolve("models").resolve(model.getFileName())).hasSameBinaryContentAs(model);
    }
  }

  private static List<Path> models(Path run) throws IOException {
    try (var files = Files.list(run.resolve("models"))) {
      return files.toList();
    }
  }

  /** All that the wall clock has no say in. */
  private static List<String> figures(Path run) throws IOException {
    return Files.readAllLines(run.resolve("metrics.csv")).stream()
        .filter(line -> line.matches(".*(accuracy|loss|bytes_sent|consensus).*"))
        .map(line -> line.substring(0, line.lastIndexOf(',')))
        .sorted()
        .toList();
  }

  private static Path killed(Path run, int rounds) throws IOException {
    Files.delete(run.resolve("summary.json"));
    Path checkpoints = run.resolve("checkpoints");
    for (int later : SavedCut.available(checkpoints)) {
      if (later > rounds) {
        Files.delete(checkpoints.resolve("round-%06d".formatted(later)).resolve("complete.json"));
      }
    }
    return run;
  }

  /** 0 workers stand for a run in one process without a coordinator. */
  @ParameterizedTest
  @CsvSource({
    "d-psgd, 0, 4",
    "d-psgd, 4, 0",
    "d-psgd, 1, 4",
    "push-sum, 4, 3",
    "federated, 3, 2",
    "federated, 2, 0",
    "parameter-server, 0, 3"
  })
  void aRunGoesOnWithAnotherNumberOfWorkers(String protocol, int before, int after)
      throws Exception {
    Path whole = folder.resolve("whole");
    run(Run.of(experiment(protocol)).into(whole), 0);
    Path cut = folder.resolve("cut");
    run(Run.of(experiment(protocol)).into(cut), before);
    assertSame(cut, whole);
    assertThat(SavedCut.available(cut.resolve("checkpoints"))).containsExactly(4, 6);
    assertThat(cut.resolve("checkpoints/spare")).doesNotExist();

    run(Run.resume(killed(cut, 4), List.of("runtime.threads=1")), after);

    assertSame(cut, whole);
  }

  @ParameterizedTest
  @CsvSource({"0, 2", "5, 2", "5, 0"})
  void aFaultThatHasStruckIsMendedOnceAllGoBack(int round, int workersAfterResume)
      throws Exception {
    Experiment calm = experiment("d-psgd").with("faults.failed-node", "restart");
    Path whole = folder.resolve("whole");
    run(Run.of(calm).into(whole), 0);
    Path struck = folder.resolve("struck");
    Run run =
        Run.of(
                calm.with(
                    "faults.inject",
                    "[{fault = \"throws\", node = 13, from-round = %d}]".formatted(round)))
            .into(struck)
            .savesModels(true)
            .sharesProcess(true);
    RunResult failed = new WorkersHere(folder).run(run, 2, ready -> {}).result();
    assertThat(failed.outcome().ending()).isEqualTo(Outcome.Ending.FAILED);
    assertThat(failed.outcome().reason()).contains("as its injected fault says");
    run(run.restarted(failed, 1), 2);
    assertSame(struck, whole);

    // What was saved after the restart knows of it.
    run(Run.resume(killed(struck, 6), List.of()), workersAfterResume);
    assertSame(struck, whole);
    assertThat(SavedRun.read(struck).provenance().orElseThrow().path("resumed").size())
        .isEqualTo(2);
  }

  /** Not in step and not the same twice: it must come to its end with all there. */
  @ParameterizedTest
  @ValueSource(strings = {"gossip", "ad-psgd", "random-walk"})
  void nodesOfAllWorkersRestTogether(String protocol) throws Exception {
    Path cut = folder.resolve("cut");
    run(Run.of(experiment(protocol)).into(cut), 3);
    assertThat(SavedCut.available(cut.resolve("checkpoints"))).containsExactly(4, 6);
    run(Run.resume(killed(cut, 6), List.of()), 2);
    assertThat(models(cut)).hasSize(16);
  }

  @ParameterizedTest
  @CsvSource({"d-psgd, 3", "federated, 2"})
  void aRunThatIsToStopIsSavedFirst(String protocol, int workers) throws Exception {
    // What happened before a checkpoint is told with it, so that the run hears early to stop.
    Experiment lasting =
        experiment(protocol)
            .with(List.of("rounds=1001", "checkpoint.every=20", "evaluation.every=250"));
    Path whole = folder.resolve("whole");
    run(Run.of(lasting).into(whole), 0);
    Path cut = folder.resolve("cut");
    AtomicReference<CoordinatedRun> coordinated = new AtomicReference<>();
    Run stopped =
        Run.of(lasting)
            .into(cut)
            .sharesProcess(true)
            .savesModels(true)
            .listener(progress -> {
              if (progress.round() > 2) {
                coordinated.get().stop();
              }
            });
    CoordinatedRun.Ended ended = new WorkersHere(folder).run(stopped, workers, coordinated::set);
    assertThat(ended.result().outcome().ending()).isEqualTo(Outcome.Ending.INTERRUPTED);
    assertThat(ended.exitCode()).isEqualTo(130);

    Run resumed = Run.resume(cut, List.of());
    assertThat(resumed.experiment().checkpoint().isDue(resumed.firstRound())).isTrue();
    assertThat(resumed.firstRound()).isBetween(1, 1000);
    run(resumed, 0);

    assertSame(cut, whole);
  }
}

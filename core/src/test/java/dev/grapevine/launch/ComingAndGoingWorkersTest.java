package dev.grapevine.launch;

import static dev.grapevine.launch.WorkersHere.models;
import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.SavedRun;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.NodeOutcome.Status;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes that come and go where each worker knows the others only over the network. */
final class ComingAndGoingWorkersTest {

  @TempDir private Path folder;

  private static final String TOP =
      """
      name = "comings"
      seed = 7
      """;

  private static final String EXPERIMENT =
      """
      [data]
      set = "digits"
      partition = "iid"
      [model]
      kind = "logistic"
      [training]
      steps = 1
      batch-size = 4
      [evaluation]
      every = 2
      samples = 20
      average-model = true
      """;

  private static final String BY_ROUNDS =
      """
      rounds = 12
      [nodes]
      count = 8
      [topology]
      kind = "regular"
      degree = 3
      [faults]
      missing = "go-on"
      [faults.churn]
      kind = "list"
      absences = [
        {nodes = "1", from-round = 3, to-round = 4},
        {nodes = "1", from-round = 6, to-round = 9},
        {nodes = "3-4", from-round = 5, to-round = 7, with = "fresh"},
        {nodes = "6", to-round = 4},
        {nodes = "7", from-round = 8},
      ]
      """;

  private static Experiment experiment(String... tables) {
    return Experiment.parse(String.join("", tables), Path.of("comings.toml"));
  }

  private CoordinatedRun.Ended together(Experiment experiment, int workers) throws Exception {
    return new WorkersHere(folder).run(experiment, workers, folder.resolve("together"));
  }

  private RunResult alone(Experiment experiment) {
    return Run.of(experiment).into(folder.resolve("alone")).savesModels(true).start();
  }

  private static List<String> figures(Path run, String metric) {
    List<String> lines = new ArrayList<>();
    SavedRun.read(run)
        .metric(metric)
        .ifPresent(column -> {
          for (int i = 0; i < column.rounds(); i++) {
            lines.add(column.round(i) + java.util.Arrays.toString(column.values(i)));
          }
        });
    return lines;
  }

  private static List<Status> statuses(Outcome outcome) {
    return outcome.nodes().stream().map(NodeOutcome::status).toList();
  }

  @ParameterizedTest
  @CsvSource({"2, 0", "8, 0", "3, 2"})
  void byRoundsItIsTheSameAsInOneProcess(int workers, int every) throws Exception {
    Experiment experiment =
        experiment(
            TOP, BY_ROUNDS, EXPERIMENT, every == 0 ? "" : "[checkpoint]\nevery = " + every + "\n");
    RunResult one = alone(experiment);
    assertThat(one.outcome().ending()).as(one.outcome().reason()).isEqualTo(Outcome.Ending.DONE);

    CoordinatedRun.Ended ended = together(experiment, workers);

    Outcome outcome = ended.result().outcome();
    assertThat(outcome.reason()).isEmpty();
    assertThat(statuses(outcome)).isEqualTo(statuses(one.outcome()));
    assertThat(models(folder.resolve("together")))
        .hasSize(8)
        .containsExactlyElementsOf(models(folder.resolve("alone")));
    for (String metric : List.of("restarts", "rounds_lost", "test_accuracy", "test_loss")) {
      assertThat(figures(folder.resolve("together"), metric))
          .as(metric)
          .isNotEmpty()
          .isEqualTo(figures(folder.resolve("alone"), metric));
    }
    assertThat(figures(folder.resolve("together"), "nodes_alive")).hasSize(12);
  }

  @Test
  void whereAllAreDownTheFirstComesBackAtOnce() throws Exception {
    Experiment experiment =
        experiment(
            TOP,
            """
            rounds = 8
            [nodes]
            count = 4
            [topology]
            kind = "ring"
            [faults]
            missing = "go-on"
            [faults.churn]
            kind = "list"
            absences = [
              {nodes = "0-1", from-round = 2, to-round = 5},
              {nodes = "2-3", from-round = 2, to-round = 4},
            ]
            """,
            EXPERIMENT);
    alone(experiment);

    CoordinatedRun.Ended ended = together(experiment, 2);

    assertThat(ended.result().outcome().reason()).isEmpty();
    assertThat(statuses(ended.result().outcome())).containsOnly(Status.FINISHED);
    assertThat(figures(folder.resolve("together"), "restarts")).isNotEmpty();
  }

  /** A node that is slow on purpose lets the run take two seconds at least. */
  @Test
  void byTheClockAllComeBackAndTheRunEnds() throws Exception {
    Experiment experiment =
        experiment(
            TOP,
            """
            rounds = 200
            [nodes]
            count = 6
            [topology]
            kind = "ring"
            [faults]
            missing = "go-on"
            inject = [{fault = "is-slow", node = 5, delay = "10 ms"}]
            [faults.churn]
            kind = "list"
            absences = [
              {nodes = "0", from = "0.1 s", to = "0.3 s"},
              {nodes = "0", from = "0.5 s", to = "0.6 s", with = "checkpoint"},
              {nodes = "2", from = "0.2 s", to = "0.4 s", with = "neighbour"},
              {nodes = "3", from = "0.2 s", to = "1 h"},
              {nodes = "4", to = "0.2 s", with = "fresh"},
            ]
            [checkpoint]
            every = 20
            """,
            EXPERIMENT);

    CoordinatedRun.Ended ended = together(experiment, 3);

    Outcome outcome = ended.result().outcome();
    assertThat(outcome.reason()).isEmpty();
    assertThat(statuses(outcome))
        .containsExactly(
            Status.FINISHED,
            Status.FINISHED,
            Status.FINISHED,
            Status.LEFT,
            Status.FINISHED,
            Status.FINISHED);
    assertThat(figures(folder.resolve("together"), "restarts")).hasSizeBetween(2, 4);
    assertThat(figures(folder.resolve("together"), "messages_lost")).isNotEmpty();
    assertThat(figures(folder.resolve("together"), "nodes_alive")).hasSize(200);
  }

  @Test
  void aNodeThatFailsGoesOnAlone() throws Exception {
    Experiment experiment =
        experiment(
            TOP,
            """
            rounds = 12
            [nodes]
            count = 6
            [topology]
            kind = "ring"
            [faults]
            missing = "go-on"
            failed-node = "restart"
            inject = [{fault = "throws", node = 2, from-round = 5}]
            [checkpoint]
            every = 2
            """,
            EXPERIMENT);

    CoordinatedRun.Ended ended = together(experiment, 3);

    assertThat(ended.result().outcome().reason()).isEmpty();
    assertThat(statuses(ended.result().outcome())).containsOnly(Status.FINISHED);
    assertThat(figures(folder.resolve("together"), "restarts")).hasSize(1);
  }
}

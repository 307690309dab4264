package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.Metrics;
import dev.grapevine.runtime.Outcome;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoppingTest {

  private static final String SMALL =
      """
      name = "small"
      rounds = 400
      [nodes]
      count = 4
      [topology]
      kind = "ring"
      [data]
      set = "blobs"
      [model]
      kind = "logistic"
      [training]
      rate = 0.1
      [evaluation]
      every = 1
      [runtime]
      kind = "simulated"
      """;

  @TempDir private Path folder;

  private RunResult run(String name, String... settings) {
    Experiment experiment = Experiment.parse(SMALL).with(List.of(settings));
    return Run.of(experiment).into(folder.resolve(name)).start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "simulated"})
  void stopsOnceTheAccuracyIsReached(String runtime) {
    RunResult result = run("a", "stop.accuracy=0.5", "runtime.kind=" + runtime);

    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.STOPPED);
    assertThat(result.outcome().reason()).startsWith("reached 0.");
    assertThat(result.summary().testAccuracy().mean()).isGreaterThanOrEqualTo(0.5);
    MetricColumn accuracy = result.read().metric(Metrics.TEST_ACCURACY).orElseThrow();
    int last = accuracy.rounds() - 1;
    assertThat(accuracy.nodes(last)).as("the last round is whole").hasSize(4);
    assertThat(accuracy.spread(last).mean()).isEqualTo(result.summary().testAccuracy().mean());
    assertThat(accuracy.spread(last - 1).mean()).isLessThan(0.5);
  }

  @Test
  void stopsAtTheSamePlaceWithAnyNumberOfThreads() {
    RunResult one = run("one", "stop.accuracy=0.5", "runtime.threads=1");
    RunResult many = run("many", "stop.accuracy=0.5", "runtime.threads=4");

    assertThat(one.outcome().traceHash()).isEqualTo(many.outcome().traceHash());
    assertThat(one.outcome().reason()).isEqualTo(many.outcome().reason());
  }

  @Test
  void losesPatience() {
    // A rate so small that nothing changes.
    RunResult result = run("a", "training.rate=1e-12", "stop.patience=3");

    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.STOPPED);
    assertThat(result.outcome().reason()).contains("for 3 evaluations, in round 4");
  }

  @Test
  void lookAtTheClock() {
    RunResult result = run("a", "stop.hours=1e-9");

    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.STOPPED);
    assertThat(result.outcome().reason()).contains("the time is up");
  }

  @Test
  void aRunThatDivergesIsNoticedAndStoppedWhenAsked() {
    RunResult told = run("told", "training.rate=1e18", "rounds=3");
    assertThat(told.outcome().ending()).isEqualTo(Outcome.Ending.DONE);
    assertThat(told.summary().ending().divergedIn()).hasValue(0);

    RunResult stopped = run("stopped", "training.rate=1e18", "stop.diverged=true");
    assertThat(stopped.outcome().ending()).isEqualTo(Outcome.Ending.STOPPED);
    assertThat(stopped.outcome().reason()).startsWith("diverged: the ");

    assertThat(run("sound", "rounds=3").summary().ending().divergedIn()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"federated", "parameter-server"})
  void theServersFiguresDecideWhereThereIsOne(String protocol) {
    RunResult result = run("a", "protocol.kind=" + protocol, "stop.accuracy=0.4");

    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.STOPPED);
  }

  @Test
  void whatCannotBeJudgedIsRefused() {
    assertThatThrownBy(() -> run("a", "stop.patience=2", "evaluation.every=0"))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("set evaluation.every");
    assertThatThrownBy(() -> run("a", "stop.accuracy=80"))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("at most 1");
  }
}

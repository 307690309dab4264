package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.experiment.Experiment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForecastTest {

  private static final Experiment SMALL =
      Experiment.parse(
          """
          name = "small"
          rounds = 6
          [nodes]
          count = 4
          [topology]
          kind = "ring"
          [data]
          set = "blobs"
          [model]
          kind = "logistic"
          [evaluation]
          every = 3
          samples = 10
          """);

  @TempDir private Path folder;

  @Test
  void countsRoundsEvaluationsAndSamples() {
    Assembly assembly = Assembly.ofFirstNode(SMALL, folder);

    assertThat(Forecast.Work.of(SMALL, assembly)).isEqualTo(new Forecast.Work(24, 8, 10));
    assertThat(assembly.learners()).hasSize(1);
  }

  @Test
  void bytesAreThoseOfTheRealRun() {
    Forecast forecast = Forecast.of(SMALL, folder).orElseThrow();
    RunResult result = Run.of(SMALL).into(folder.resolve("run")).start();

    assertThat((double) forecast.bytesSent().orElseThrow())
        .isEqualTo(result.summary().bytesSent().mean());
    assertThat(forecast.time()).isPositive();
    assertThat(forecast.memoryBytes()).isPositive();
  }

  @Test
  void advisesFewerNodesWhereEvaluationTakesMost() {
    Forecast forecast =
        Forecast.of(
                SMALL
                    .with("nodes.count", "64")
                    .with("evaluation.every", "1")
                    .with("evaluation.samples", "1000")
                    .with("training.steps", "1"),
                folder)
            .orElseThrow();

    assertThat(forecast.adviceKey()).isEqualTo("evaluation.nodes=16");
    assertThat(forecast.adviceTime()).isLessThan(forecast.time());
  }

  @Test
  void someStepsTellWhatALongRoundTakes() {
    Forecast forecast =
        Forecast.of(SMALL.with("training.steps", "1000000000"), folder).orElseThrow();

    assertThat(forecast.time()).isGreaterThan(Duration.ofMinutes(1));
  }

  @Test
  void aShortRunIsNotForecast() {
    assertThat(Forecast.of(SMALL, new Assembly(SMALL, folder))).isEmpty();
  }

  @Test
  void whatCannotBeTrainedIsNotForecast() {
    Experiment exploding = SMALL.with(List.of("training.rate=1e38", "training.steps=1000000000"));
    assertThat(Forecast.of(exploding, folder)).isEmpty();
    assertThat(Forecast.of(exploding, new Assembly(exploding, folder))).isEmpty();
  }

  @Test
  void measuringLeavesTheRunAsItIs() {
    RunResult plain = Run.of(SMALL).into(folder.resolve("plain")).start();
    RunResult measured = Run.of(SMALL).into(folder.resolve("measured")).forecasts(true).start();

    assertThat(measured.summary().testLoss().mean()).isEqualTo(plain.summary().testLoss().mean());
  }
}

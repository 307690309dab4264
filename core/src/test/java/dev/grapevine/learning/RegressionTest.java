package dev.grapevine.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunResult;
import dev.grapevine.results.Metrics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values instead of classes, from the experiment file to the summary. */
class RegressionTest {

  private static final String SMALL =
      """
      name = "values"
      rounds = 60
      [nodes]
      count = 4
      [topology]
      kind = "ring"
      [data]
      set = "linear-regression"
      partition = "iid"
      [model]
      kind = "linear"
      [evaluation]
      every = 30
      average-model = true
      """;

  @TempDir private Path folder;

  private RunResult run(String... settings) {
    return Run.of(Experiment.parse(SMALL, folder).with(List.of(settings)))
        .into(folder.resolve("run"))
        .start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"linear", "mlp"})
  void learnsALinearFunction(String model) {
    RunResult result = run("model.kind=" + model);

    assertThat(result.summary().rSquared().mean()).isBetween(0.95, 1.0);
    assertThat(result.summary().testAccuracy().count()).isZero();
    assertThat(result.read().metric(Metrics.AVERAGE_R2)).isPresent();
  }

  @Test
  void rSquaredIsTheShareOfTheVarianceExplained() throws Exception {
    // Targets 1, 2, 3, 4 have the variance 1.25; an untrained model is off by known squares.
    StringBuilder csv = new StringBuilder("x,y\n");
    for (int i = 0; i < 40; i++) {
      csv.append(0).append(',').append(1 + i % 4).append('\n');
    }
    Files.writeString(folder.resolve("values.csv"), csv);
    RunResult result =
        run(
            "data.set=csv",
            "data.file=values.csv",
            "data.test-file=values.csv",
            "data.target=y",
            "data.task=values",
            "data.standardise=false",
            "training.steps=0",
            "rounds=1");

    double error = result.summary().testLoss().mean();
    assertThat(result.summary().rSquared().mean()).isCloseTo(1 - error / 1.25, within(1e-9));
  }

  @Test
  void classesAndValuesAreNotMixedUp() {
    assertThatThrownBy(() -> run("data.set=blobs"))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("take logistic");
    assertThatThrownBy(() -> run("model.kind=logistic"))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("take linear or mlp");
  }
}

package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Run;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that make several steps before they send. */
class DownpourStepsTest {

  private static final String SMALL =
      """
      name = "small"
      rounds = 5
      [nodes]
      count = 4
      [topology]
      kind = "ring"
      [data]
      set = "blobs"
      partition = "iid"
      [model]
      kind = "logistic"
      [training]
      rate = 0.005
      [protocol]
      kind = "parameter-server"
      mode = "asynchronous"
      [runtime]
      kind = "simulated"
      [evaluation]
      every = 5
      """;

  @TempDir private Path folder;

  private double loss(int steps) {
    return Run.of(Experiment.parse(SMALL).with("protocol.steps", String.valueOf(steps)))
        .into(folder.resolve("steps-" + steps))
        .start()
        .summary()
        .testLoss()
        .mean();
  }

  @Test
  void moreStepsGetFartherInTheSameRounds() {
    assertThat(loss(8)).isLessThan(loss(1));
  }

  @Test
  void atLeastOneStepIsMade() {
    assertThatThrownBy(() -> Experiment.parse(SMALL).with("protocol.steps", "0"))
        .hasMessageContaining("steps must be at least 1");
  }
}

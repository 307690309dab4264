package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Run;
import java.nio.file.Path;
import java.util.List;
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

  /** The mean over the batches of a pass is the gradient of one batch of everything. */
  @Test
  void theMeanOfAPassIsFedSgd() {
    double inParts =
        loss("parts", "training.batch-size=25", "training.epochs=1", "protocol.steps=0");
    double atOnce = loss("whole", "training.batch-size=250", "training.steps=1");
    assertThat(inParts).isCloseTo(atOnce, within(1e-5));
  }

  private double loss(String name, String... changes) {
    return Run.of(
            Experiment.parse(SMALL)
                .with(List.of("protocol.mode=synchronous", "protocol.several=mean"))
                .with(List.of(changes)))
        .into(folder.resolve(name))
        .start()
        .summary()
        .testLoss()
        .mean();
  }

  @Test
  void stepsAreNotNegative() {
    assertThatThrownBy(() -> Experiment.parse(SMALL).with("protocol.steps", "-1"))
        .hasMessageContaining("steps must not be negative");
  }
}

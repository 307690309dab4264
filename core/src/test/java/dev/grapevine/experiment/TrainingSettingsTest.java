package dev.grapevine.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How much a round trains. */
final class TrainingSettingsTest {

  private static TrainingSettings training(String lines) {
    return Experiment.parse("name = \"x\"\n[training]\n" + lines, Path.of(".")).training();
  }

  /** Table 1 of the thesis: CIFAR-10, 96 nodes, batches of 8, 20 rounds an epoch. */
  @Test
  void roundsPerGlobalEpochGiveAllNodesTheSameSteps() {
    TrainingSettings thesis = training("batch-size = 8\nrounds-per-global-epoch = 20");
    assertThat(thesis.localSteps(520, 50_000, 96)).isEqualTo(3);
    assertThat(thesis.localSteps(10, 50_000, 96)).isEqualTo(3);
    assertThat(thesis.localSteps(10, 100, 96)).isEqualTo(1);
    TrainingSettings own = training("batch-size = 8\nrounds-per-epoch = 20");
    assertThat(own.localSteps(520, 50_000, 96)).isEqualTo(4);
  }

  @Test
  void onlyOneWayOfSayingItIsAllowed() {
    assertThatThrownBy(() -> training("steps = 3\nrounds-per-global-epoch = 20"))
        .hasMessageContaining("leave out steps, epochs and rounds-per-epoch");
  }
}

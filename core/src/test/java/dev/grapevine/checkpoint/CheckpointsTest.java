package dev.grapevine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.state.State;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CheckpointsTest {

  @TempDir Path folder;

  private Checkpoints beginningWith(int firstRound) {
    return Checkpoints.ofRun(
        new Checkpoints.Place(
            folder,
            new CheckpointSettings(50, 2, List.of()),
            Identity.of("test", ""),
            () -> {},
            warning -> {}),
        1,
        State.fresh(),
        firstRound);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7})
  void aRunThatIsToStopBeforeAnythingHasHappenedIsSavedAfterItsFirstRound(int firstRound) {
    try (Checkpoints saving = beginningWith(firstRound)) {
      saving.saveSoon(() -> {});
      assertThat(saving.due(firstRound)).isTrue();
      assertThat(saving.due(firstRound + 1)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7})
  void aWorkerThatHasJustBegunHasEndedTheRoundsBefore(int firstRound) {
    try (Checkpoints saving = beginningWith(firstRound)) {
      assertThat(saving.hold()).isEqualTo(firstRound - 1);
    }
  }
}

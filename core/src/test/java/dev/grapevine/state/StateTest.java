package dev.grapevine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class StateTest {

  private long number;

  @Test
  void aResumedNodeFindsWhatWasSaved() {
    State fresh = State.fresh();
    float[] tracker = fresh.part("model").floats("tracker", 3);
    tracker[1] = 5;
    number = 7;
    fresh.value("number", () -> number, saved -> number = saved);
    fresh.values("numbers", () -> new long[] {1, -2}, saved -> {});
    Map<String, State.Saved> snapshot = fresh.snapshot();
    tracker[1] = 6;
    number = 0;

    State resumed = State.resumed(snapshot);
    assertThat(resumed.part("model").floats("tracker", 3)).containsExactly(0, 5, 0);
    resumed.value("number", () -> number, saved -> number = saved);
    assertThat(number).isEqualTo(7);
    long[][] numbers = new long[1][];
    resumed.values("numbers", () -> numbers[0], saved -> numbers[0] = saved);
    assertThat(numbers[0]).containsExactly(1, -2);
  }

  @Test
  void aNameIsDeclaredOnce() {
    State state = State.fresh();
    state.floats("a", 1);
    assertThatThrownBy(() -> state.floats("a", 1)).hasMessageContaining("twice: name=a");
    assertThat(state.part("b").floats("a", 1)).hasSize(1);
  }

  @Test
  void aVectorOfAnotherSizeIsRefused() {
    State state = State.fresh();
    state.floats("a", 2);
    State resumed = State.resumed(state.snapshot());
    assertThatThrownBy(() -> resumed.floats("a", 3)).hasMessageContaining("saved=2, size=3");
  }
}

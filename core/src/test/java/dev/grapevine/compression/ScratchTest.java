package dev.grapevine.compression;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScratchTest {

  @Test
  void nobodyElseGetsWhatIsLent() {
    float[] first = Scratch.floats(100);
    float[] second = Scratch.floats(100);
    assertThat(first).isNotSameAs(second);
    assertThat(first.length).isGreaterThanOrEqualTo(100);
    Scratch.giveBack(first);
    Scratch.giveBack(second);
  }

  @Test
  void whatWasGivenBackIsLentAgain() {
    // Larger than any other test asks for, so that no other test's array will do.
    int length = 5_000_001;
    int[] array = Scratch.ints(length);
    Scratch.giveBack(array);
    assertThat(Scratch.ints(length)).isSameAs(array);
  }
}

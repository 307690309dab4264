package dev.grapevine.sharing.partial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.compression.TopK;
import dev.grapevine.sharing.Workspace;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SelectionTest {

  @Test
  void selectsTheSameWithAndWithoutMemory() {
    Random random = new Random(5);
    Selection selection = new Selection();
    try (Workspace workspace = Workspace.borrow()) {
      for (int round = 0; round < 200; round++) {
        int size = 50;
        float scale = (float) Math.exp(random.nextGaussian());
        float[] scores = new float[size];
        for (int i = 0; i < size; i++) {
          // Few distinct values, so that ties are common; now and then none or a NaN.
          scores[i] = round % 17 == 0 ? 0 : scale * random.nextInt(8);
        }
        if (round % 23 == 0) {
          scores[random.nextInt(size)] = Float.NaN;
        }
        int count = random.nextInt(size + 1);
        int[] expected = new int[size];
        int[] actual = new int[size];
        TopK.select(scores, size, count, expected);
        selection.select(scores, size, count, actual, workspace);
        assertThat(Arrays.copyOf(actual, count))
            .as("round %d", round)
            .isEqualTo(Arrays.copyOf(expected, count));
      }
    }
  }
}

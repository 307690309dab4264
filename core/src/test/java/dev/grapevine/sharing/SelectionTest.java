package dev.grapevine.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.compression.TopK;
import dev.grapevine.scratch.Scratch;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SelectionTest {

  @Test
  void selectsTheSameWithAndWithoutMemory() {
    Random random = new Random(5);
    Selection selection = new Selection();
    try (Scratch scratch = new Scratch()) {
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
        TopK.select(scores, size, count, expected, scratch);
        selection.select(scores, size, count, actual, scratch);
        assertThat(Arrays.copyOf(actual, count))
            .as("round %d", round)
            .isEqualTo(Arrays.copyOf(expected, count));
      }
    }
  }

  @Test
  void takesTheNextHighestOfWhatIsNotExcluded() {
    Random random = new Random(6);
    Selection selection = new Selection();
    int size = 64;
    try (Scratch scratch = new Scratch()) {
      for (int round = 0; round < 200; round++) {
        float[] scores = new float[size];
        for (int i = 0; i < size; i++) {
          scores[i] = random.nextInt(20);
        }
        int first = random.nextInt(10);
        int second = 1 + random.nextInt(10);
        int[] taken = new int[size];
        selection.begin(scores, size, first + second, scratch);
        selection.take(first, taken, scratch);
        long[] marks = {0};
        for (int i = 0; i < first; i++) {
          marks[0] |= 1L << taken[i];
        }
        selection.exclude(marks);
        selection.take(second, taken, scratch);
        selection.end();

        for (int i = 0; i < size; i++) {
          scores[i] = (marks[0] >>> i & 1) != 0 ? -1 : scores[i];
        }
        int[] expected = new int[size];
        TopK.select(scores, size, second, expected, scratch);
        assertThat(Arrays.copyOf(taken, second))
            .as("round %d", round)
            .isEqualTo(Arrays.copyOf(expected, second));
      }
    }
  }
}

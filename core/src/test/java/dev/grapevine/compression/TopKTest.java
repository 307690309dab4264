package dev.grapevine.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.scratch.Scratch;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopKTest {

  private static final Scratch SCRATCH = new Scratch();

  @Test
  void agreesWithSortingWhateverTheScores() {
    for (int seed = 0; seed < 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int n = random.nextInt(400);
      float[] scores = new float[n];
      int style = seed % 5;
      for (int i = 0; i < n; i++) {
        scores[i] =
            switch (style) {
              case 0 -> (float) random.nextGaussian();
              case 1 -> random.nextInt(5);
              case 2 -> Float.intBitsToFloat(random.nextInt());
              case 3 -> 1 + random.nextInt(3000) * 0x1p-23f;
              default -> random.nextInt(3) == 0 ? Float.MIN_VALUE * random.nextInt(9) : 0f;
            };
      }
      int k = n == 0 ? 0 : random.nextInt(n + 1);
      assertThat(selected(scores, k)).as("seed=%d", seed).isEqualTo(sorted(scores, k));
    }
  }

  @Test
  void theLowerPositionWinsATie() {
    assertThat(selected(new float[] {2, 1, 2, 2, 0}, 2)).containsExactly(0, 2);
    assertThat(selected(new float[] {7, 7, 7}, 1)).containsExactly(0);
    assertThat(selected(new float[] {0, Float.NaN, 9}, 1)).containsExactly(1);
  }

  @Test
  void askingForMoreThanThereIsGivesAll() {
    int[] room = {-1, -1, -1};
    assertThat(TopK.select(new float[] {3, 1}, 5, room, SCRATCH)).isEqualTo(2);
    assertThat(room).containsExactly(0, 1, -1);
    assertThat(TopK.select(new float[0], 5, room, SCRATCH)).isZero();
    assertThatThrownBy(() -> TopK.select(new float[9], 4, room, SCRATCH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("room=3");
  }

  private static int[] selected(float[] scores, int k) {
    int[] indices = new int[k];
    assertThat(TopK.select(scores, k, indices, SCRATCH)).isEqualTo(k);
    return indices;
  }

  private static int[] sorted(float[] scores, int k) {
    return Arrays.stream(IntStream.range(0, scores.length).boxed().toArray(Integer[]::new))
        .sorted(Comparator.comparingInt((Integer i) -> -order(scores[i])).thenComparing(i -> i))
        .limit(k)
        .mapToInt(i -> i)
        .sorted()
        .toArray();
  }

  private static int order(float score) {
    int bits = Float.floatToRawIntBits(score);
    return bits < 0 ? bits ^ 0x7fff_ffff : bits;
  }
}

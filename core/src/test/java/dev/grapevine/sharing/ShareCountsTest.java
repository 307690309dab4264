package dev.grapevine.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ShareCountsTest {

  @Test
  void listsRareCoordinatesWhileTheLimitMovesAndCountsGrow() {
    Random random = new Random(3);
    int size = 150;
    ShareCounts counts = new ShareCounts(size);
    int[] listed = new int[size];
    for (int round = 0; round < 300; round++) {
      int[] sent = IntStream.range(0, size).filter(i -> random.nextInt(i % 9 + 2) == 0).toArray();
      counts.add(sent, sent.length);
      // Mostly rising, as in a run, now and then lower or none.
      int limit = round % 31 == 0 ? -1 : round % 17 == 0 ? 0 : round / 12;
      long[] except = {random.nextLong(), random.nextLong(), random.nextLong()};
      int found = counts.listUpTo(limit, except, listed);
      assertThat(Arrays.copyOf(listed, found))
          .as("round %d", round)
          .isEqualTo(
              IntStream.range(0, size)
                  .filter(i -> counts.count(i) <= limit && (except[i >>> 6] >>> i & 1) == 0)
                  .toArray());
    }
  }
}

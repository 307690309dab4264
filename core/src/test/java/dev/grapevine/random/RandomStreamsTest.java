package dev.grapevine.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RandomStreamsTest {

  /** Recorded before the generator was our own: results of old runs must not change. */
  @Test
  void streamsKeepTheirNumbers() {
    assertThat(RandomStreams.of(1, 0, "protocol").nextLong()).isEqualTo(6558262523206156902L);
    assertThat(RandomStreams.of(90, 17, "sharing").nextInt(1000)).isEqualTo(836);
    assertThat(RandomStreams.uniform(90, 3, 4)).isEqualTo(0.0370544412867031);
  }

  @Test
  void nodesAndPurposesHaveStreamsOfTheirOwn() {
    Set<Long> firsts = new HashSet<>();
    for (int node = -1; node < 100; node++) {
      for (String purpose : new String[] {"protocol", "sharing", "weights", "batches"}) {
        firsts.add(RandomStreams.of(1, node, purpose).nextLong());
      }
    }
    assertThat(firsts).hasSize(404);
  }

  @Test
  void splitMixIsTheJdks() {
    for (long seed : new long[] {0, 1, -5, Long.MIN_VALUE, 123456789}) {
      SplittableRandom jdk = new SplittableRandom(seed);
      SplitMix ours = new SplitMix(seed);
      for (int i = 0; i < 100; i++) {
        assertThat(ours.nextLong()).isEqualTo(jdk.nextLong());
      }
    }
  }
}

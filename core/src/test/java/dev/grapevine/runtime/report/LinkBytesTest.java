package dev.grapevine.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LinkBytesTest {

  @Test
  void countsWhatAMapWould() {
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      LinkBytes links = new LinkBytes();
      Map<Integer, Long> expected = new TreeMap<>();
      for (int i = 0; i < 2000; i++) {
        int peer = random.nextInt(LinkBytes.MOST_PEERS) * 4099;
        links.add(peer, i);
        expected.merge(peer, (long) i, Long::sum);
      }
      assertThat(links.peers())
          .containsExactly(expected.keySet().stream().mapToInt(peer -> peer).toArray());
      expected.forEach((peer, bytes) -> assertThat(links.bytes(peer)).isEqualTo(bytes));
    }
  }

  @Test
  void givesUpOnOneThatTalksToEverybody() {
    LinkBytes links = new LinkBytes();
    for (int i = 0; i < 2 * (LinkBytes.MOST_PEERS + 1); i++) {
      links.add(i % (LinkBytes.MOST_PEERS + 1), 1);
    }
    assertThat(links.peers()).isEmpty();
  }
}

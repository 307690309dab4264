package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.network.LinkContext;
import dev.grapevine.network.SharedBandwidthLinks;
import dev.grapevine.protocol.Entry.Mixing;
import dev.grapevine.protocol.Entry.Style;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Runs;
import dev.grapevine.runtime.compute.FixedCompute;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.runtime.simulated.SimulatedRuntime;
import dev.grapevine.settings.Bandwidth;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Models in fragments: how they are cut, and what a slow link does to them. */
class FragmentsTest {

  private static final List<ParameterBlock> BLOCKS =
      List.of(
          new ParameterBlock("weight", new int[] {10, 7}, 0),
          new ParameterBlock("bias", new int[] {30}, 70));

  @Test
  void everyCoordinateIsInOneFragment() {
    int[][] cut = Fragment.cut(BLOCKS, 8, 3);
    int[] all = Arrays.stream(cut).flatMapToInt(Arrays::stream).sorted().toArray();
    assertThat(all).hasSize(100);
    for (int i = 0; i < all.length; i++) {
      assertThat(all[i]).isEqualTo(i);
    }
    for (int[] fragment : cut) {
      assertThat(fragment.length).isBetween(12, 13);
      assertThat(fragment).isSorted();
      // Of each tensor every fragment has its share.
      assertThat(Arrays.stream(fragment).filter(i -> i >= 70).count()).isBetween(3L, 4L);
    }
    assertThat(Fragment.cut(BLOCKS, 8, 3)).isDeepEqualTo(cut);
    assertThat(Fragment.cut(BLOCKS, 8, 4)[0]).isNotEqualTo(cut[0]);
  }

  private static NodeRuntime links(String upload) {
    return new SimulatedRuntime(
        1,
        new FixedCompute(new FixedCompute.Settings(Duration.ofMillis(100))),
        new SharedBandwidthLinks(
            new SharedBandwidthLinks.Settings(
                Duration.ofMillis(5),
                Bandwidth.parse(upload),
                Bandwidth.parse("1 Gbit/s"),
                Duration.ZERO,
                0),
            new LinkContext(Trial.LEARNERS, 1)));
  }

  /** The mean of a figure over nodes and rounds. */
  private static Map<String, Double> figures(String upload) {
    Entry entry =
        new Entry(
            "div-share",
            "fragment = 0.1\npeers = 4\ndeadline = \"100 ms\"",
            Style.ASYNCHRONOUS,
            Mixing.CONSENSUS,
            1,
            1);
    Trial trial = new Trial(entry, 2, 0.1);
    Map<String, Double> sums = new ConcurrentHashMap<>();
    int rounds = 20;
    trial.observer =
        new Observer() {
          @Override
          public void record(int node, int round, String metric, double value, Duration time) {
            sums.merge(metric, value / (rounds * Trial.LEARNERS), Double::sum);
          }
        };
    Outcome outcome = trial.run(links(upload), rounds);
    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Outcome.Ending.DONE);
    sums.put("spread", Trial.spread(trial.results()));
    return sums;
  }

  /** Ten fragments of one value for four peers: 40 messages a round. */
  @Test
  void aSlowLinkSendsWhatItCanAndDropsTheRest() {
    Map<String, Double> fast = figures("1 Gbit/s");
    assertThat(fast.get("fragments_dropped")).isZero();
    assertThat(fast.get("fragments_received")).isGreaterThan(30);
    Map<String, Double> slow = figures("30 kbit/s");
    assertThat(slow.get("fragments_dropped")).isBetween(5.0, 35.0);
    assertThat(slow.get("fragments_received")).isBetween(3.0, 30.0);
    assertThat(slow.get("spread")).isLessThan(1);
  }

  @Test
  void shatteredModelsKeepTheirMean() {
    Entry entry = new Entry("shatter", "fragments = 5", Style.IN_STEP, Mixing.KEEPS_MEAN, 1, 1);
    Trial trial = new Trial(entry, 1, 0);
    trial.run(Runs.simulated(1), 1);
    assertThat(Trial.mean(trial.results()))
        .containsExactly(Trial.mean(trial.starts), org.assertj.core.api.Assertions.within(1e-6));
  }
}

package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.runtime.CirculantTopology;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Runs;
import dev.grapevine.runtime.report.Observer;
import java.time.Duration;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class DynamicGraphTest {

  private static final int LOWER = 2;
  private static final int UPPER = 5;

  private static final Entry EVERY_ROUND =
      entry("advertise-every = 1\nlower = %d\nupper = %d".formatted(LOWER, UPPER));

  private static Entry entry(String settings) {
    return new Entry(
        "dynamic-graph", settings, Entry.Style.IN_STEP_AFTER_GOSSIP, Entry.Mixing.KEEPS_MEAN, 1, 1);
  }

  /** What the nodes record of their degrees. */
  private static final class Degrees implements Observer {
    final IntSummaryStatistics all = new IntSummaryStatistics();
    final Map<Integer, Set<Integer>> ofNode = new HashMap<>();

    @Override
    public void record(int node, int round, String metric, double value, Duration time) {
      if (metric.equals("degree")) {
        all.accept((int) value);
        ofNode.computeIfAbsent(node, missing -> new TreeSet<>()).add((int) value);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void degreesStayWithinTheirBounds(long seed) {
    for (int reach : new int[] {1, 2}) {
      Trial trial = new Trial(EVERY_ROUND, seed, 0.1, new CirculantTopology(12, reach));
      Degrees degrees = new Degrees();
      trial.observer = degrees;

      Outcome outcome = trial.run(Runs.simulated(1), 1000);

      assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Outcome.Ending.DONE);
      assertThat(degrees.all.getCount()).isEqualTo(12 * 1000);
      assertThat(degrees.all.getMin()).isGreaterThanOrEqualTo(LOWER);
      assertThat(degrees.all.getMax()).isLessThanOrEqualTo(UPPER);
      assertThat(degrees.ofNode.values())
          .as("links come and go")
          .allSatisfy(values -> assertThat(values).hasSizeGreaterThan(1));
    }
  }

  /** Both ends of a link agree on the rounds in which it counts, or a node would wait for ever. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void nobodyWaitsForOneWhoHasLeft(long seed) {
    Entry tight = entry("advertise-every = 1\nfuel = 2\nlower = 2\nupper = 2");
    Trial trial = new Trial(tight, seed, 0.1, new CirculantTopology(9, 1));
    Outcome outcome = trial.run(Runs.simulated(1), 200);
    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Outcome.Ending.DONE);
  }
}

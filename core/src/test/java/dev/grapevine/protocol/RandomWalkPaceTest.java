package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.network.LatencyLinks;
import dev.grapevine.network.LinkContext;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.compute.ComputeContext;
import dev.grapevine.runtime.compute.SpeedFactors;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.runtime.simulated.SimulatedRuntime;
import dev.grapevine.topology.RandomRegular;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random walks on the virtual clock: how far nodes run ahead and how long they wait. */
class RandomWalkPaceTest {

  private static final int NODES = 16;

  /** The end of the run in seconds, and of the last half of it the mean lag and wait by node. */
  private record Course(double end, double[] lag, double[] waits, double longest) {}

  private static Course run(String settings, List<Double> factors, int latencyMillis, int rounds) {
    Entry entry =
        new Entry("random-walk", settings, Entry.Style.ASYNCHRONOUS, Entry.Mixing.NONE, 1, 1);
    Trial trial = new Trial(entry, 2, 0.1, RandomRegular.everyRound(NODES, 4, 3));
    double[] lag = new double[NODES];
    double[] wait = new double[NODES];
    double[] most = new double[2];
    trial.observer =
        new Observer() {
          @Override
          public void record(int node, int round, String metric, double value, Duration time) {
            if (metric.equals("pace_wait")) {
              most[1] = Math.max(most[1], value);
            }
            if (round >= rounds / 2 && round < rounds - rounds / 8) {
              double share = value / (rounds - rounds / 8 - rounds / 2);
              (metric.equals("lag") ? lag : metric.equals("pace_wait") ? wait : new double[NODES])
                      [node] +=
                  share;
            }
          }

          @Override
          public void roundFinished(NodeReport report) {
            most[0] = Math.max(most[0], report.time().toNanos() / 1e9);
          }
        };
    Outcome outcome =
        trial.run(
            new SimulatedRuntime(
                1,
                new SpeedFactors(
                    new SpeedFactors.Settings(Duration.ofMillis(100), factors, 0.2),
                    new ComputeContext(NODES, 1)),
                new LatencyLinks(
                    new LatencyLinks.Settings(
                        Duration.ofMillis(latencyMillis), Duration.ofMillis(10), 0),
                    new LinkContext(0, 7))),
            rounds);
    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Outcome.Ending.DONE);
    return new Course(most[0], lag, wait, most[1]);
  }

  @ParameterizedTest
  @CsvSource({"20, 60, 1.25", "20, 240, 1.25", "150, 240, 1.4", "150, 480, 1.4"})
  void amongEqualsHardlyAnybodyWaits(int latencyMillis, int rounds, double stretch) {
    Course course = run("", List.of(1.0), latencyMillis, rounds);
    assertThat(course.end()).isLessThan(0.1 * rounds * stretch);
    assertThat(Math.abs(Arrays.stream(course.lag()).average().orElseThrow())).isLessThan(0.1);
    assertThat(Arrays.stream(course.lag()).map(Math::abs).max().orElseThrow()).isLessThan(1);
    assertThat(course.longest()).isLessThan(0.3);
  }

  @ParameterizedTest
  @CsvSource({"60", "240", "480"})
  void whoIsFasterComesDownToThePaceOfTheSlowest(int rounds) {
    Course course = run("", List.of(1.0, 1.0, 1.0, 3.0), 20, rounds);
    // The slowest nodes need 0.3 s a round and never wait to speak of.
    assertThat(course.end()).isLessThan(0.3 * rounds * 1.15);
    assertThat(course.longest()).isLessThan(1);
    if (rounds >= 240) {
      assertThat(Math.abs(Arrays.stream(course.lag()).average().orElseThrow())).isLessThan(0.3);
      assertThat(course.waits()[0]).isBetween(0.1, 0.3);
      assertThat(course.waits()[3]).isLessThan(0.03);
    }
  }

  @Test
  void withoutTheWaitFastNodesRunAhead() {
    Course course = run("adaptive = false", List.of(1.0, 1.0, 1.0, 3.0), 20, 240);
    assertThat(course.lag()[0]).isGreaterThan(2);
  }
}

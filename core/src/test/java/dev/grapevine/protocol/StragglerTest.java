package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.network.LatencyLinks;
import dev.grapevine.network.LinkContext;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.compute.ComputeContext;
import dev.grapevine.runtime.compute.SpeedFactors;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.runtime.simulated.SimulatedRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One node is ten times slower: who waits for it, on the virtual clock. */
class StragglerTest {

  private static final int ROUNDS = 20;
  private static final int SLOW = 0;

  private static NodeRuntime runtime() {
    List<Double> factors = new ArrayList<>(Collections.nCopies(Trial.LEARNERS + 1, 1.0));
    factors.set(SLOW, 10.0);
    return new SimulatedRuntime(
        1,
        new SpeedFactors(
            new SpeedFactors.Settings(Duration.ofMillis(100), factors, 0),
            new ComputeContext(Trial.LEARNERS, 1)),
        new LatencyLinks(
            new LatencyLinks.Settings(Duration.ofMillis(10), Duration.ofMillis(1), 0),
            new LinkContext(0, 7)));
  }

  /** When the last of the others, or the server, has finished its rounds. */
  private static Duration othersFinish(Entry entry) {
    Trial trial = new Trial(entry, 2, 0.1);
    List<Duration> ends = new ArrayList<>();
    trial.observer =
        new Observer() {
          @Override
          public void roundFinished(NodeReport report) {
            if (report.node() != SLOW && report.round() == ROUNDS - 1) {
              ends.add(report.time());
            }
          }
        };
    Outcome outcome = trial.run(runtime(), ROUNDS);
    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Outcome.Ending.DONE);
    return Collections.max(ends);
  }

  static Stream<Entry> asynchronous() {
    return Entry.all().stream()
        .filter(entry ->
            entry.style() == Entry.Style.ASYNCHRONOUS
                || entry.style() == Entry.Style.ASYNCHRONOUS_SERVER);
  }

  static Stream<Entry> inStep() {
    return Entry.all().stream()
        .filter(entry -> entry.style().isInStep() && !entry.kind().equals("no-communication"))
        .filter(entry -> !entry.settings().contains("fraction"));
  }

  @ParameterizedTest
  @MethodSource("asynchronous")
  void asynchronousProtocolsLeaveTheStragglerBehind(Entry entry) {
    Duration dPsgd = othersFinish(Entry.all().getFirst());
    assertThat(othersFinish(entry)).isLessThan(dPsgd.dividedBy(2));
  }

  @ParameterizedTest
  @MethodSource("inStep")
  void protocolsInStepGoAtThePaceOfTheStraggler(Entry entry) {
    assertThat(othersFinish(entry)).isGreaterThan(Duration.ofSeconds(ROUNDS - 3));
  }
}

package dev.grapevine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.protocol.DPsgd;
import dev.grapevine.runtime.Outcome.Ending;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.Faults;
import dev.grapevine.runtime.fault.Interference;
import dev.grapevine.runtime.fault.MessageFaults;
import dev.grapevine.runtime.report.Observer;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong with messages on purpose, on every clock. */
@Timeout(60)
class MessageFaultsTest {

  private static final int NODES = 8;
  private static final int ROUNDS = 12;
  private static final Duration DEADLINE = Duration.ofMillis(100);

  private static Outcome run(
      Clock clock, List<NodeSetup> nodes, FaultPolicy policy, MessageFaults faults, int rounds) {
    return clock
        .runtime()
        .run(
            new Plan(
                nodes,
                CirculantTopology.ring(NODES),
                rounds,
                1,
                policy,
                new Faults(List.of(), faults)),
            Observer.NONE);
  }

  private static List<NodeSetup> nodes() {
    return Runs.quadratics(NODES, 3, node -> new DPsgd());
  }

  @ParameterizedTest
  @EnumSource
  void whoWaitsTakesDuplicatesAndDisorderAsIfNothingHadHappened(Clock clock) {
    List<NodeSetup> disturbed = nodes();
    List<NodeSetup> healthy = nodes();

    Outcome outcome =
        run(
            clock,
            disturbed,
            FaultPolicy.WAIT,
            new MessageFaults(0, 0.3, 0.5, Duration.ofMillis(4), List.of()),
            ROUNDS);
    run(Clock.SIMULATED, healthy, FaultPolicy.WAIT, MessageFaults.NONE, ROUNDS);

    assertThat(outcome.ending()).isEqualTo(Ending.DONE);
    assertThat(Runs.models(disturbed).toArray(float[][]::new))
        .isDeepEqualTo(Runs.models(healthy).toArray(float[][]::new));
  }

  @ParameterizedTest
  @EnumSource
  void lostMessagesAreDoneWithout(Clock clock) {
    List<NodeSetup> nodes = nodes();

    Outcome outcome =
        run(
            clock,
            nodes,
            FaultPolicy.goOn(DEADLINE),
            new MessageFaults(0.2, 0, 0, Duration.ZERO, List.of()),
            3);

    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
    long sent = outcome.nodes().stream().mapToLong(node -> node.traffic().messagesSent()).sum();
    long heard =
        outcome.nodes().stream().mapToLong(node -> node.traffic().messagesReceived()).sum();
    assertThat(sent).isEqualTo(2 * NODES * 3);
    assertThat(heard).isLessThan(sent);
  }

  @Test
  void asManyAreLostAndDoubledAsAsked() {
    Interference interference =
        Interference.of(new MessageFaults(0.1, 0.25, 0, Duration.ZERO, List.of()), 3, 7);
    int copies = 0;
    int doubled = 0;
    for (int i = 0; i < 20_000; i++) {
      int arrived = interference.delays(i % 5, 0).length;
      copies += arrived > 0 ? 1 : 0;
      doubled += arrived > 1 ? 1 : 0;
    }
    assertThat(interference.lost()).isEqualTo(20_000 - copies);
    assertThat(interference.lost() / 20_000.0).isCloseTo(0.1, within(0.01));
    assertThat(doubled / (double) copies).isCloseTo(0.25, within(0.015));
  }

  /** Half of the ring is cut off for all of the run, then for its first half. */
  @Test
  void aPartitionKeepsTwoSidesApartUntilItIsOver() {
    BitSet side = new BitSet();
    side.set(0, NODES / 2);
    List<NodeSetup> apart = nodes();
    List<NodeSetup> healed = nodes();

    runFor(apart, side, Duration.ofDays(1));
    runFor(healed, side, Duration.ofMillis(50 * DEADLINE.toMillis()));

    assertThat(distanceOfSides(apart)).isGreaterThan(3 * distanceOfSides(healed));
  }

  private static void runFor(List<NodeSetup> nodes, BitSet side, Duration until) {
    MessageFaults faults =
        new MessageFaults(
            0,
            0,
            0,
            Duration.ZERO,
            List.of(new MessageFaults.Partition(Duration.ZERO, until, side)));
    assertThat(run(Clock.SIMULATED, nodes, FaultPolicy.goOn(DEADLINE), faults, 200).ending())
        .isEqualTo(Ending.DONE);
  }

  private static double distanceOfSides(List<NodeSetup> nodes) {
    List<float[]> models = Runs.models(nodes);
    double distance = 0;
    for (int i = 0; i < models.getFirst().length; i++) {
      double difference = 0;
      for (int node = 0; node < NODES; node++) {
        difference += (node < NODES / 2 ? 1 : -1) * models.get(node)[i];
      }
      distance += difference * difference;
    }
    return Math.sqrt(distance);
  }
}

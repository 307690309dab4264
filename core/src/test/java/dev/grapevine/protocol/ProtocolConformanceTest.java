package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.protocol.Entry.Mixing;
import dev.grapevine.protocol.Entry.Style;
import dev.grapevine.runtime.CirculantTopology;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Outcome.Ending;
import dev.grapevine.runtime.Runs;
import dev.grapevine.runtime.fault.Fault;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.live.LiveRuntime;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.simulated.SimulatedRuntime;
import dev.grapevine.settings.KindDescription;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every protocol has to stand, on every runtime. */
@Timeout(180)
class ProtocolConformanceTest {

  private static final int CULPRIT = 2;

  static List<Entry> entries() {
    return Entry.all();
  }

  static Stream<Entry> talkative() {
    return Entry.all().stream().filter(entry -> !entry.kind().equals("no-communication"));
  }

  @Test
  void everyProtocolHasAnEntry() {
    Set<String> tested = new HashSet<>();
    Entry.all().forEach(entry -> tested.add(entry.kind()));
    assertThat(Entry.REGISTRY.kinds(Protocol.FAMILY).stream().map(KindDescription::name))
        .containsExactlyInAnyOrderElementsOf(tested);
  }

  @ParameterizedTest
  @MethodSource("entries")
  void findsTheOptimumOfAQuadratic(Entry entry) {
    Trial trial = new Trial(entry, 3, 0.1);

    Outcome outcome = trial.run(Runs.simulated(2), 100);

    assertAllFinished(entry, outcome, 100);
    double[] optimum = Trial.mean(trial.targets);
    assertThat(Trial.distance(Trial.mean(trial.results()), optimum)).isLessThan(entry.error());
    assertThat(Trial.spread(trial.results())).isLessThanOrEqualTo(entry.spread());
  }

  @ParameterizedTest
  @MethodSource("entries")
  void mixingAloneLeadsToConsensus(Entry entry) {
    if (entry.mixing() == Mixing.NONE) {
      return;
    }
    Trial trial = new Trial(entry, 4, 0);

    Outcome outcome = trial.run(Runs.simulated(2), 60);

    assertAllFinished(entry, outcome, 60);
    double before = Trial.spread(trial.starts);
    assertThat(Trial.spread(trial.results())).isLessThan(0.02 * before);
    if (entry.mixing() == Mixing.KEEPS_MEAN) {
      assertThat(Trial.mean(trial.results()))
          .containsExactly(Trial.mean(trial.starts), within(1e-5));
    }
  }

  @ParameterizedTest
  @MethodSource("entries")
  void takesTheSameCourseWithAnyNumberOfThreads(Entry entry) {
    Set<String> hashes = new HashSet<>();
    List<List<float[]>> results = new ArrayList<>();
    for (int threads : new int[] {1, 2, 8}) {
      Trial trial = new Trial(entry, 5, 0.1);
      hashes.add(trial.run(Runs.simulated(threads), 10).traceHash().orElseThrow());
      results.add(trial.results());
    }
    assertThat(hashes).hasSize(1);
    for (List<float[]> result : results) {
      assertSameBits(result, results.getFirst());
    }
  }

  @ParameterizedTest
  @MethodSource("entries")
  void runsLiveInMemory(Entry entry) {
    runsLive(entry, TransportKind.MEMORY, 5);
  }

  @ParameterizedTest
  @MethodSource("entries")
  void runsLiveOverTcp(Entry entry) {
    runsLive(entry, TransportKind.TCP, 3);
  }

  private static void runsLive(Entry entry, TransportKind transport, int rounds) {
    Trial live = new Trial(entry, 6, 0.1);
    assertAllFinished(entry, live.run(Runs.live(transport), rounds), rounds);
    if (entry.style().isInStep()) {
      Trial simulated = new Trial(entry, 6, 0.1);
      simulated.run(Runs.simulated(2), rounds);
      assertSameBits(live.results(), simulated.results());
    }
  }

  @Test
  void tcpRunsLeaveNoOpenDescriptors() {
    Entry entry = Entry.all().getFirst();
    new Trial(entry, 1, 0.1).run(Runs.live(TransportKind.TCP), 1);
    long before = openDescriptors();
    for (int run = 0; run < 5; run++) {
      new Trial(entry, run, 0.1).run(Runs.live(TransportKind.TCP), 1);
    }
    // One more or less may be the JVM's own; a leak would be at least one a run.
    assertThat(openDescriptors()).isLessThan(before + 5);
  }

  /** More pairs talk than connections may be open: they are closed and opened all the time. */
  @Test
  void linksThatAreClosedForRoomLoseNothing() {
    Entry entry = new Entry("el-oracle", "peers = 4", Style.IN_STEP, Mixing.KEEPS_MEAN, 1, 1);
    LiveRuntime crowded =
        new LiveRuntime(
            new LiveRuntime.Settings(2, Duration.ofSeconds(1)), TransportKind.TCP, 1 << 20, 3);
    Trial trial = new Trial(entry, 1, 0.1, new CirculantTopology(24, 2));
    Outcome outcome = trial.run(crowded, 8);
    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
  }

  private static long openDescriptors() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.UnixOperatingSystemMXBean.class)
        .getOpenFileDescriptorCount();
  }

  @ParameterizedTest
  @MethodSource("entries")
  void goesOnWhateverALearnerDoes(Entry entry) {
    for (Fault fault : Fault.values()) {
      survives(entry, Runs.simulated(2), fault, CULPRIT, Duration.ofMillis(500), 6);
    }
  }

  @ParameterizedTest
  @MethodSource("entries")
  void goesOnWhateverAServerSends(Entry entry) {
    if (entry.choice().create(context()).servers() > 0) {
      for (Fault fault : List.of(Fault.SENDS_GARBAGE, Fault.SENDS_WRONG_ROUND, Fault.SENDS_TWICE)) {
        Trial trial = new Trial(entry, 7, 0.1);
        trial.policy = FaultPolicy.goOn(Duration.ofMillis(500));
        trial.faults = List.of(new InjectedFault(fault, Trial.LEARNERS, 0));
        Outcome outcome = trial.run(Runs.simulated(2), 4);
        assertThat(outcome.ending()).as("%s: %s", fault, outcome.reason()).isEqualTo(Ending.DONE);
        assertThat(outcome.nodes())
            .as("%s", fault)
            .allSatisfy(node -> assertThat(node.status()).isEqualTo(NodeOutcome.Status.FINISHED));
      }
    }
  }

  private static ProtocolContext context() {
    return new ProtocolContext(
        0, Trial.LEARNERS, 1, new CirculantTopology(Trial.LEARNERS, 2), new Shared());
  }

  @ParameterizedTest
  @MethodSource("entries")
  void goesOnLive(Entry entry) {
    for (Fault fault : List.of(Fault.STOPS_SILENTLY, Fault.SENDS_GARBAGE)) {
      survives(entry, Runs.live(TransportKind.MEMORY), fault, CULPRIT, Duration.ofMillis(60), 2);
    }
  }

  private static void survives(
      Entry entry, NodeRuntime runtime, Fault fault, int culprit, Duration patience, int rounds) {
    Trial trial = new Trial(entry, 7, 0.1);
    trial.policy = FaultPolicy.goOn(patience);
    trial.faults = List.of(new InjectedFault(fault, culprit, 1, Duration.ofSeconds(1)));
    double[] optimum = Trial.mean(trial.targets);
    double before = Trial.distance(healthy(trial, culprit), optimum);

    Outcome outcome = trial.run(runtime, rounds);

    assertThat(outcome.ending()).as("%s: %s", fault, outcome.reason()).isEqualTo(Ending.DONE);
    for (NodeOutcome node : outcome.nodes()) {
      boolean counts = entry.style().hasServerModel() == node.node() >= Trial.LEARNERS;
      if (node.node() != culprit) {
        assertThat(node.status())
            .as("%s: node %d: %s", fault, node.node(), node.reason())
            .isEqualTo(NodeOutcome.Status.FINISHED);
        assertThat(node.roundsFinished())
            .as("%s: rounds of node %d", fault, node.node())
            .isEqualTo(counts ? rounds : 0);
      }
    }
    double after = Trial.distance(healthy(trial, culprit), optimum);
    // By a wall clock, a server may hear nobody in time and stay where it was.
    assertThat(runtime instanceof SimulatedRuntime ? after : Math.nextDown(after))
        .as("%s: those that are well come closer to the optimum than they started", fault)
        .isLessThan(before);
  }

  private static List<float[]> healthy(Trial trial, int culprit) {
    List<float[]> models = new ArrayList<>(trial.results());
    if (models.size() > 1) {
      models.remove(culprit);
    }
    return models;
  }

  @ParameterizedTest
  @MethodSource("talkative")
  void namesWhoSentNonsense(Entry entry) {
    Trial trial = new Trial(entry, 8, 0.1);
    trial.faults = List.of(new InjectedFault(Fault.SENDS_GARBAGE, CULPRIT, 1));

    Outcome outcome = trial.run(Runs.simulated(2), 8);

    assertThat(outcome.ending()).isEqualTo(Ending.FAILED);
    assertThat(outcome.reason()).contains("malformed payload from node " + CULPRIT);
  }

  private static void assertAllFinished(Entry entry, Outcome outcome, int rounds) {
    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
    long sent = 0;
    long received = 0;
    for (NodeOutcome node : outcome.nodes()) {
      assertThat(node.status()).isEqualTo(NodeOutcome.Status.FINISHED);
      boolean counts = entry.style().hasServerModel() == node.node() >= Trial.LEARNERS;
      assertThat(node.roundsFinished()).isEqualTo(counts ? rounds : 0);
      if (entry.style().isInStep() || outcome.virtualTime().isPresent()) {
        assertThat(node.unread()).as("left over at node %d", node.node()).isZero();
      }
      sent += node.traffic().messagesSent();
      received += node.traffic().messagesReceived();
    }
    if (entry.style().isInStep()) {
      assertThat(received).isEqualTo(sent);
    } else {
      // What reaches a node after its end is dropped.
      assertThat(received).isLessThanOrEqualTo(sent);
    }
  }

  private static void assertSameBits(List<float[]> actual, List<float[]> expected) {
    assertThat(actual.toArray(float[][]::new)).isDeepEqualTo(expected.toArray(float[][]::new));
  }
}

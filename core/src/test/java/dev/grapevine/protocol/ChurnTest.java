package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.runtime.CirculantTopology;
import dev.grapevine.runtime.Clock;
import dev.grapevine.runtime.MemoryCuts;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Outcome.Ending;
import dev.grapevine.runtime.PlannedChurn;
import dev.grapevine.runtime.Resumption;
import dev.grapevine.runtime.Saving;
import dev.grapevine.runtime.churn.Absence;
import dev.grapevine.runtime.churn.Churn;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.churn.Moment;
import dev.grapevine.runtime.fault.Fault;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.FaultPolicy.FailedNode;
import dev.grapevine.runtime.fault.FaultPolicy.Missing;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.NodeOutcome.Status;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.sharing.FullSharing;
import dev.grapevine.state.State;
import dev.grapevine.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes that go down and come back, in every protocol and on every clock. */
@Timeout(60)
class ChurnTest {

  private static final int ROUNDS = 8;
  private static final int LOST = 2;

  /** A round that nobody waits after. */
  private static final int NEVER = -1;

  private static final Duration DEADLINE = Duration.ofMillis(300);
  private static final FaultPolicy GO_ON =
      new FaultPolicy(Missing.GO_ON, DEADLINE, FailedNode.DROP);

  record Case(Entry entry, Clock clock, ComesBackWith with, Missing missing) {}

  static List<Case> returns() {
    List<Case> cases = new ArrayList<>();
    for (Entry entry : Entry.all()) {
      for (ComesBackWith with : ComesBackWith.values()) {
        cases.add(new Case(entry, Clock.SIMULATED, with, Missing.GO_ON));
        cases.add(new Case(entry, Clock.SIMULATED, with, Missing.WAIT));
      }
      cases.add(new Case(entry, Clock.LIVE_IN_MEMORY, ComesBackWith.MEMORY, Missing.GO_ON));
      cases.add(new Case(entry, Clock.LIVE_OVER_TCP, ComesBackWith.NEIGHBOUR, Missing.GO_ON));
    }
    return cases;
  }

  private static Trial trial(Entry entry, IntFunction<State> states) {
    Topology topology = new CirculantTopology(Trial.LEARNERS, 2);
    return new Trial(entry, 7, 0.1, topology, FullSharing::raw, false, states);
  }

  private static Trial trial(Entry entry) {
    return trial(entry, node -> State.fresh());
  }

  private static Entry entry(String kind) {
    return Entry.all().stream()
        .filter(entry -> entry.kind().equals(kind) && entry.settings().isEmpty())
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("returns")
  void aRunGoesOnWithoutANodeAndWithItAgain(Case given) {
    Trial trial = trial(given.entry());
    trial.policy = new FaultPolicy(given.missing(), DEADLINE, FailedNode.END);
    PlannedChurn churn = new PlannedChurn();
    if (given.clock() == Clock.SIMULATED) {
      churn.millis(LOST, 250, 390, given.with()).millis(5, 310, 480, given.with());
    } else {
      churn.millis(LOST, 4, 12, given.with()).millis(5, 6, 9, given.with());
    }
    trial.churn = churn;

    Outcome outcome =
        trial.run(
            given.clock().runtime(), ROUNDS, new Saving(new MemoryCuts(3), Resumption.NONE, null));

    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
    assertThat(outcome.nodes())
        .extracting(NodeOutcome::status)
        .allMatch(status -> status == Status.FINISHED || status == Status.LEFT);
    assertFinite(trial);
  }

  private static void assertFinite(Trial trial) {
    for (float[] model : trial.results()) {
      for (float value : model) {
        assertThat(Float.isFinite(value)).isTrue();
      }
    }
  }

  /** Who was there, by round. */
  private static final class Attendance implements Observer {
    private final Map<Integer, List<Integer>> rounds = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> missed = new ConcurrentHashMap<>();

    @Override
    public void roundFinished(NodeReport report) {
      rounds.merge(
          report.node(),
          List.of(report.round()),
          (before, next) -> {
            List<Integer> all = new ArrayList<>(before);
            all.addAll(next);
            return all;
          });
    }

    @Override
    public void nodeIsBack(int node, int round, int rounds) {
      missed.put(node, rounds);
    }
  }

  /**
   * The first of them must not begin its round without those who come back after it. All are
   * neighbours, so that nobody is far behind: who has not gone yet when others are past its absence
   * comes back later than planned.
   */
  @ParameterizedTest
  @EnumSource
  void neighboursWhoComeBackInTheSameRoundCountOnEachOther(Clock clock) {
    Topology all = CirculantTopology.full(Trial.LEARNERS);
    Trial expected = new Trial(entry("d-psgd"), 7, 0.1, all);
    Trial trial = new Trial(entry("d-psgd"), 7, 0.1, all);
    for (Trial each : List.of(expected, trial)) {
      PlannedChurn churn = new PlannedChurn();
      for (int node = 1; node < Trial.LEARNERS; node++) {
        for (int round = 1; round < 2 * ROUNDS; round += 3) {
          churn.rounds(node, round, round + 2, ComesBackWith.MEMORY);
        }
      }
      each.churn = churn;
    }
    Outcome outcome = trial.run(clock.runtime(), 2 * ROUNDS);
    expected.run(Clock.SIMULATED.runtime(), 2 * ROUNDS);

    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
    assertThat(trial.results().toArray(float[][]::new))
        .isDeepEqualTo(expected.results().toArray(float[][]::new));
  }

  @ParameterizedTest
  @EnumSource
  void aRunInWhichNobodyIsLeftIsNotDone(Clock clock) {
    for (Moment since : List.of(Moment.START, Moment.ofRound(3))) {
      Trial trial = trial(entry("d-psgd"));
      PlannedChurn churn = new PlannedChurn();
      for (int node = 0; node < Trial.LEARNERS; node++) {
        churn.leaves(node, since);
      }
      trial.churn = churn;
      trial.policy = GO_ON;

      Outcome outcome = trial.run(clock.runtime(), ROUNDS, Saving.NONE);

      assertThat(outcome.ending()).isEqualTo(Ending.STALLED);
      assertThat(outcome.reason())
          .contains("no node is left")
          .contains("at most %d rounds".formatted(since.at()));
      assertThat(outcome.nodes())
          .hasSize(Trial.LEARNERS)
          .allMatch(node -> node.status() == Status.LEFT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyLeavesAfterTheLastRound(Clock clock) {
    Trial trial = trial(entry("d-psgd"));
    PlannedChurn churn = new PlannedChurn();
    for (int node = 0; node < Trial.LEARNERS; node++) {
      churn.leaves(node, Moment.ofRound(ROUNDS));
    }
    trial.churn = churn;
    trial.policy = GO_ON;

    Outcome outcome = trial.run(clock.runtime(), ROUNDS, Saving.NONE);

    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
    assertThat(outcome.nodes()).allMatch(node -> node.status() == Status.FINISHED);
  }

  /** A training takes longer than anybody stays up. */
  @Test
  void aRunInWhichNobodyStaysUpForLongEnoughEnds() {
    Trial trial = trial(entry("d-psgd"));
    trial.churn =
        new Churn() {
          @Override
          public Iterator<Absence> absences(int node) {
            return Stream.iterate(1L, at -> at + 2)
                .map(at -> new Absence(nanos(at), nanos(at + 1), ComesBackWith.MEMORY))
                .iterator();
          }

          @Override
          public Set<ComesBackWith> ways() {
            return Set.of(ComesBackWith.MEMORY);
          }

          private static Moment nanos(long at) {
            return new Moment(false, at);
          }
        };
    trial.policy = GO_ON;

    Outcome outcome = trial.run(Clock.SIMULATED.runtime(), 2 * Trial.LEARNERS, Saving.NONE);

    assertThat(outcome.ending()).isEqualTo(Ending.STALLED);
    assertThat(outcome.reason()).contains("no node stays up for long enough to finish a round");
  }

  /** Each that comes back does so a round later than those before it. */
  @Test
  void aRunInWhichNobodyFinishesARoundIsNotDone() {
    Trial trial = trial(entry("d-psgd"));
    PlannedChurn churn = new PlannedChurn();
    for (int node = 0; node < Trial.LEARNERS; node++) {
      for (int i = 0; i < 4; i++) {
        int from = 1 + node + 2 * Trial.LEARNERS * i;
        churn.millis(node, from, from + Trial.LEARNERS, ComesBackWith.MEMORY);
      }
    }
    trial.churn = churn;
    trial.policy = GO_ON;

    Outcome outcome = trial.run(Clock.SIMULATED.runtime(), ROUNDS, Saving.NONE);

    assertThat(outcome.ending()).isEqualTo(Ending.STALLED);
    assertThat(outcome.reason()).contains("no node has finished a round");
  }

  @ParameterizedTest
  @EnumSource
  void byRoundsItIsTheSameOnEveryClock(Clock clock) {
    for (ComesBackWith with : List.of(ComesBackWith.MEMORY, ComesBackWith.FRESH)) {
      Trial expected = trial(entry("d-psgd"));
      Trial trial = trial(entry("d-psgd"));
      Attendance attendance = new Attendance();
      trial.observer = attendance;
      for (Trial each : List.of(expected, trial)) {
        each.churn =
            new PlannedChurn()
                .rounds(1, 2, 5, with)
                .rounds(1, 6, 7, with)
                .rounds(4, 0, 3, ComesBackWith.FRESH)
                .leaves(6, Moment.ofRound(5));
      }
      Outcome outcome = trial.run(clock.runtime(), ROUNDS);
      expected.run(Clock.SIMULATED.runtime(), ROUNDS);

      assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
      assertThat(attendance.rounds.get(1)).containsExactly(0, 1, 5, 7);
      assertThat(attendance.rounds.get(4)).containsExactly(3, 4, 5, 6, 7);
      assertThat(attendance.rounds.get(6)).containsExactly(0, 1, 2, 3, 4);
      assertThat(attendance.missed).containsEntry(4, 3).containsEntry(1, 1);
      assertThat(outcome.nodes().get(6).status()).isEqualTo(Status.LEFT);
      assertThat(trial.results().toArray(float[][]::new))
          .isDeepEqualTo(expected.results().toArray(float[][]::new));
    }
  }

  /** What is saved has the absent in it, and where everybody is in its plan. */
  @ParameterizedTest
  @MethodSource("dev.grapevine.protocol.Entry#all")
  void aRunWithAbsentNodesThatIsResumedEndsAsIfItHadNotBeenCut(Entry entry) {
    PlannedChurn churn =
        new PlannedChurn()
            .millis(LOST, 250, 390, ComesBackWith.MEMORY)
            .millis(LOST, 560, 700, ComesBackWith.CHECKPOINT)
            .millis(5, 330, 620, ComesBackWith.CHECKPOINT)
            .millis(0, 130, 460, ComesBackWith.FRESH)
            .millis(7, 130, 300, ComesBackWith.NEIGHBOUR)
            .leaves(3, Moment.at(Duration.ofMillis(410)));
    MemoryCuts cuts = new MemoryCuts(2);
    Trial whole = trial(entry);
    whole.policy = GO_ON;
    whole.churn = churn;
    Outcome expected =
        whole.run(Clock.SIMULATED.runtime(), ROUNDS, new Saving(cuts, Resumption.NONE, null));
    assertThat(expected.ending()).as(expected.reason()).isEqualTo(Ending.DONE);

    for (int round : cuts.rounds()) {
      Trial rest = trial(entry, cuts.states(round));
      rest.policy = GO_ON;
      rest.churn = churn;
      Outcome outcome =
          rest.run(
              Clock.SIMULATED.runtime(),
              ROUNDS,
              new Saving(new MemoryCuts(2), cuts.resumption(round), null));
      assertThat(outcome.traceHash()).as("after round %d", round).isEqualTo(expected.traceHash());
      for (int node = 0; node < whole.nodes.size(); node++) {
        // Of one that has left for good nothing but its end is saved.
        if (node != 3) {
          assertThat(rest.nodes.get(node).learner().parameters())
              .as("node %d after round %d", node, round)
              .containsExactly(whole.nodes.get(node).learner().parameters());
        }
        assertThat(outcome.nodes().get(node).traffic())
            .as("node %d after round %d", node, round)
            .isEqualTo(expected.nodes().get(node).traffic());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aNodeThatFailsGoesOnAlone(Clock clock) {
    Trial trial = trial(entry("d-psgd"));
    trial.policy = new FaultPolicy(Missing.GO_ON, DEADLINE, FailedNode.RESTART, 2);
    trial.faults = List.of(new InjectedFault(Fault.THROWS, LOST, 3));
    Attendance attendance = new Attendance();
    // By the wall clock all others could be through before it is back.
    trial.observer =
        clock == Clock.SIMULATED ? attendance : new HeldUp(attendance, NEVER, ROUNDS - 3);

    Outcome outcome =
        trial.run(clock.runtime(), ROUNDS, new Saving(new MemoryCuts(2), Resumption.NONE, null));

    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
    assertThat(outcome.nodes()).extracting(NodeOutcome::status).containsOnly(Status.FINISHED);
    assertThat(attendance.rounds.get(LOST)).startsWith(0, 1, 2).endsWith(ROUNDS - 1);
  }

  /**
   * Keeps a node from its next round until another has finished that without it, and all others
   * from theirs until that node is back.
   */
  private static final class HeldUp implements Observer {
    private final Attendance attendance;
    private final int lostWaitsAfter;
    private final int othersWaitAfter;
    private final CountDownLatch isFinished = new CountDownLatch(1);
    private final CountDownLatch isBack = new CountDownLatch(1);

    HeldUp(Attendance attendance, int lostWaitsAfter, int othersWaitAfter) {
      this.attendance = attendance;
      this.lostWaitsAfter = lostWaitsAfter;
      this.othersWaitAfter = othersWaitAfter;
    }

    @Override
    public void roundFinished(NodeReport report) {
      attendance.roundFinished(report);
      if (report.node() == LOST && report.round() == lostWaitsAfter) {
        await(isFinished);
      }
      if (report.node() != LOST && report.round() == othersWaitAfter) {
        isFinished.countDown();
        await(isBack);
      }
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void nodeIsBack(int node, int round, int rounds) {
      isBack.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIMULATED")
  void whoComesBackWhileOthersAreAboutToRestRestsWithThem(Clock clock) {
    Trial trial = trial(entry("d-psgd"));
    trial.policy = new FaultPolicy(Missing.GO_ON, Duration.ofMillis(50), FailedNode.RESTART, 2);
    trial.faults = List.of(new InjectedFault(Fault.THROWS, LOST, 3));
    Attendance attendance = new Attendance();
    trial.observer = new HeldUp(attendance, 2, 3);
    MemoryCuts cuts = new MemoryCuts(2);

    Outcome outcome = trial.run(clock.runtime(), ROUNDS, new Saving(cuts, Resumption.NONE, null));

    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
    assertThat(attendance.rounds.get(LOST)).containsExactly(0, 1, 2, 4, 5, 6, 7);
    assertThat(cuts.rounds()).containsExactly(1, 3, 5, 7);
  }

  @Test
  void whoComesBackWithANeighboursModelHasOne() {
    Trial trial = new Trial(entry("d-psgd"), 7, 0, new CirculantTopology(Trial.LEARNERS, 2));
    trial.churn = new PlannedChurn().millis(LOST, 650, 660, ComesBackWith.NEIGHBOUR);
    Outcome outcome = trial.run(Clock.SIMULATED.runtime(), ROUNDS);
    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
    // By then all others have come close to each other, and a fresh start would be far off.
    assertThat(Trial.spread(trial.results())).isLessThan(0.1);
  }
}

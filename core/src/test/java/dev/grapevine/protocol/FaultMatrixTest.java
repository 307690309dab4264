package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.runtime.Clock;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Outcome.Ending;
import dev.grapevine.runtime.fault.Fault;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.FaultPolicy.FailedNode;
import dev.grapevine.runtime.fault.FaultPolicy.Missing;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.NodeOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every protocol, on every clock, with a node that dies loudly or silently under every policy: the
 * run ends and says why. A run that hangs here is cut off by the time limit.
 */
@Timeout(60)
class FaultMatrixTest {

  private static final int CULPRIT = 2;
  private static final int ROUNDS = 4;
  private static final Duration DEADLINE = Duration.ofMillis(60);

  record Case(
      Entry entry, Clock clock, Fault fault, Missing missing, FailedNode failedNode, int round) {}

  static List<Case> deaths() {
    List<Case> cases = new ArrayList<>();
    for (Entry entry : Entry.all()) {
      for (Clock clock : Clock.values()) {
        // Noticing a stall takes a live run seconds, and is the same for all policies.
        cases.add(new Case(entry, clock, Fault.STOPS_SILENTLY, Missing.WAIT, FailedNode.DROP, 2));
        cases.add(new Case(entry, clock, Fault.THROWS, Missing.WAIT, FailedNode.END, 2));
        cases.add(new Case(entry, clock, Fault.THROWS, Missing.WAIT, FailedNode.DROP, 0));
        cases.add(new Case(entry, clock, Fault.THROWS, Missing.WAIT, FailedNode.DROP, 2));
      }
      // A handler that refuses garbage ends a node in the middle of its training.
      cases.add(
          new Case(entry, Clock.SIMULATED, Fault.SENDS_GARBAGE, Missing.FAIL, FailedNode.DROP, 0));
      // Numbers that are none are refused by all, or they would spoil every model for good.
      cases.add(
          new Case(entry, Clock.SIMULATED, Fault.SENDS_NAN, Missing.GO_ON, FailedNode.END, 1));
      for (Fault fault : List.of(Fault.THROWS, Fault.STOPS_SILENTLY)) {
        for (Missing missing : List.of(Missing.GO_ON, Missing.FAIL)) {
          for (FailedNode failedNode : FailedNode.values()) {
            cases.add(new Case(entry, Clock.SIMULATED, fault, missing, failedNode, 2));
          }
        }
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("deaths")
  void everyRunEndsAndSaysWhy(Case given) {
    Trial trial = new Trial(given.entry(), 7, 0.1);
    trial.policy = new FaultPolicy(given.missing(), DEADLINE, given.failedNode());
    trial.faults = List.of(new InjectedFault(given.fault(), CULPRIT, given.round()));

    Outcome outcome = trial.run(given.clock().runtime(), ROUNDS);

    assertThat(outcome.ending()).as(outcome.reason()).isNotEqualTo(Ending.INTERRUPTED);
    assertThat(outcome.reason().isEmpty()).isEqualTo(outcome.ending() == Ending.DONE);
    boolean talks = !given.entry().kind().equals("no-communication");
    if (given.fault() == Fault.THROWS && given.missing() == Missing.WAIT) {
      if (given.failedNode() == FailedNode.END) {
        assertThat(outcome.ending()).isEqualTo(Ending.FAILED);
        assertThat(outcome.reason()).startsWith("node " + CULPRIT + " failed");
      } else if (talks) {
        // The others are told, so that nobody waits for the dead.
        assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
        assertThat(outcome.nodes().stream().filter(FaultMatrixTest::hasFailed)).hasSize(1);
      }
    }
    for (float[] model : trial.results()) {
      for (float value : model) {
        assertThat(Float.isFinite(value)).isTrue();
      }
    }
  }

  private static boolean hasFailed(NodeOutcome outcome) {
    return outcome.status() == NodeOutcome.Status.FAILED;
  }
}

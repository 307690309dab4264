package dev.grapevine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.message.Payload;
import dev.grapevine.protocol.DPsgd;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.runtime.Outcome.Ending;
import dev.grapevine.runtime.fault.Fault;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.FaultPolicy.FailedNode;
import dev.grapevine.runtime.fault.FaultPolicy.Missing;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.sharing.FullSharing;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every fault under every policy on every clock: the run ends, and says what happened. */
@Timeout(120)
class FaultsTest {

  private static final int NODES = 6;
  private static final int ROUNDS = 4;
  private static final int CULPRIT = 2;
  private static final Duration DEADLINE = Duration.ofMillis(150);

  record Case(Fault fault, Clock clock, Missing missing, FailedNode failedNode) {}

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      for (Clock clock : Clock.values()) {
        for (Missing missing : Missing.values()) {
          for (FailedNode failedNode : FailedNode.values()) {
            cases.add(new Case(fault, clock, missing, failedNode));
          }
        }
      }
    }
    return cases;
  }

  private static Outcome run(Case given, List<NodeSetup> nodes) {
    Plan plan =
        new Plan(
            nodes,
            CirculantTopology.ring(NODES),
            ROUNDS,
            1,
            new FaultPolicy(given.missing(), DEADLINE, given.failedNode()),
            List.of(new InjectedFault(given.fault(), CULPRIT, 1, Duration.ofMillis(20))));
    return given.clock().runtime().run(plan, Observer.NONE);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyRunEndsAndSaysWhatHappened(Case given) {
    List<NodeSetup> nodes = Runs.quadratics(NODES, 3, node -> new DPsgd());

    Outcome outcome = run(given, nodes);

    assertThat(outcome.nodes()).hasSize(NODES);
    assertThat(outcome.reason().isEmpty()).isEqualTo(outcome.ending() == Ending.DONE);
    String name = "node " + CULPRIT;
    Missing missing = given.missing();
    boolean drops = given.failedNode() == FailedNode.DROP;
    switch (given.fault()) {
      case THROWS -> {
        NodeOutcome culprit = outcome.nodes().get(CULPRIT);
        assertThat(culprit.reason()).startsWith(name + " failed in round 1: training threw");
        if (drops && missing != Missing.FAIL) {
          assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
          assertThat(culprit.status()).isEqualTo(NodeOutcome.Status.FAILED);
        } else if (!drops && missing == Missing.WAIT) {
          assertThat(outcome.ending()).isEqualTo(Ending.FAILED);
          assertThat(outcome.reason()).isEqualTo(culprit.reason());
        }
      }
      case STOPS_SILENTLY, SENDS_WRONG_ROUND -> {
        if (missing == Missing.WAIT) {
          assertThat(outcome.ending()).isEqualTo(Ending.STALLED);
          assertThat(outcome.reason()).contains("waits for " + name + " in round 1");
        } else if (missing == Missing.GO_ON) {
          assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
        } else if (!drops) {
          assertThat(outcome.ending()).isEqualTo(Ending.FAILED);
          assertThat(outcome.reason()).contains("no message from");
        }
      }
      case SENDS_GARBAGE, SENDS_NAN -> {
        if (missing == Missing.GO_ON) {
          assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
        } else if (!drops && missing == Missing.WAIT) {
          assertThat(outcome.ending()).isEqualTo(Ending.FAILED);
          assertThat(outcome.reason()).contains("malformed payload from " + name + " in round 1");
        }
      }
      case SENDS_TWICE, IS_SLOW -> {
        if (missing == Missing.WAIT) {
          assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
          assertSameAsHealthy(nodes);
        } else if (missing == Missing.GO_ON) {
          assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
        }
      }
    }
  }

  private static void assertSameAsHealthy(List<NodeSetup> nodes) {
    List<NodeSetup> healthy = Runs.quadratics(NODES, 3, node -> new DPsgd());
    Clock.SIMULATED
        .runtime()
        .run(Runs.plan(healthy, CirculantTopology.ring(NODES), ROUNDS), Observer.NONE);
    assertThat(Runs.models(nodes).toArray(float[][]::new))
        .isDeepEqualTo(Runs.models(healthy).toArray(float[][]::new));
  }

  @ParameterizedTest
  @EnumSource
  void anErrorInTrainingEndsTheRunWithNameAndReason(Clock clock) {
    List<NodeSetup> nodes = new ArrayList<>(Runs.quadratics(NODES, 3, node -> new DPsgd()));
    NodeSetup broken = nodes.get(4);
    nodes.set(
        4,
        NodeSetup.of(
            new BrokenLearner(broken.learner()),
            Runs.context(4, NODES, broken.learner(), 3),
            FullSharing::raw,
            broken.protocol()));

    Outcome outcome =
        clock.runtime().run(Runs.plan(nodes, CirculantTopology.ring(NODES), ROUNDS), Observer.NONE);

    assertThat(outcome.ending()).isEqualTo(Ending.FAILED);
    assertThat(outcome.reason())
        .isEqualTo("node 4 failed in round 0: IllegalStateException: shard 4 is empty");
    assertThat(outcome.nodes().get(4).status()).isEqualTo(NodeOutcome.Status.FAILED);
  }

  private record OneWayRing() implements Topology {

    @Override
    public int nodes() {
      return NODES;
    }

    @Override
    public Neighbourhood neighbours(int node, int round) {
      int[] next = {(node + 1) % NODES};
      int[] previous = {(node + NODES - 1) % NODES};
      return new Neighbourhood(node, next, previous, new double[] {0.5}, 0.5);
    }
  }

  /** A listener has no link with the one it listens to before that one has spoken. */
  @ParameterizedTest
  @EnumSource
  void whoOnlyListensHearsOfADroppedNodeToo(Clock clock) {
    Plan plan =
        new Plan(
            Runs.quadratics(NODES, 3, node -> new DPsgd()),
            new OneWayRing(),
            ROUNDS,
            1,
            new FaultPolicy(Missing.WAIT, Duration.ofSeconds(1), FailedNode.DROP),
            List.of(new InjectedFault(Fault.THROWS, CULPRIT, 0)));

    Outcome outcome = clock.runtime().run(plan, Observer.NONE);

    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Ending.DONE);
  }

  /** What a message is numbered with is the protocol's own affair. */
  @ParameterizedTest
  @EnumSource
  void aFailureNamesTheRoundAndNotTheNumberOfAMessage(Clock clock) {
    Protocol protocol =
        self -> {
          self.evaluate(0);
          self.send((self.id() + 1) % NODES, 3, 77, Payload.empty());
          if (self.id() == CULPRIT) {
            throw new IllegalStateException("enough");
          }
        };
    List<NodeSetup> nodes = Runs.quadratics(NODES, 3, node -> protocol);

    Outcome outcome =
        clock.runtime().run(Runs.plan(nodes, CirculantTopology.ring(NODES), ROUNDS), Observer.NONE);

    assertThat(outcome.reason())
        .isEqualTo("node 2 failed in round 1: IllegalStateException: enough");
  }

  /** The ring without the culprit, whose weight its neighbours have kept. */
  private record RingWithGap(Topology ring) implements Topology {

    @Override
    public int nodes() {
      return ring.nodes();
    }

    @Override
    public Neighbourhood neighbours(int node, int round) {
      Neighbourhood all = ring.neighbours(node, round);
      int[] rest = Arrays.stream(all.hearsFrom()).filter(peer -> peer != CULPRIT).toArray();
      double weight = all.selfWeight();
      double[] weights = new double[rest.length];
      Arrays.fill(weights, weight);
      double kept = weight * (1 + all.hearsFrom().length - rest.length);
      return node == CULPRIT
          ? Neighbourhood.alone(node)
          : new Neighbourhood(node, rest, rest, weights, kept);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDroppedNodeLeavesItsWeightToItsNeighbours(Clock clock) {
    List<NodeSetup> nodes = Runs.quadratics(NODES, 3, node -> new DPsgd());
    Plan plan =
        new Plan(
            nodes,
            CirculantTopology.ring(NODES),
            30,
            1,
            new FaultPolicy(Missing.WAIT, Duration.ofSeconds(1), FailedNode.DROP),
            List.of(new InjectedFault(Fault.THROWS, CULPRIT, 0)));

    Outcome outcome = clock.runtime().run(plan, Observer.NONE);

    assertThat(outcome.ending()).isEqualTo(Ending.DONE);
    assertThat(outcome.nodes())
        .filteredOn(node -> node.status() == NodeOutcome.Status.FINISHED)
        .hasSize(NODES - 1)
        .allSatisfy(node -> assertThat(node.roundsFinished()).isEqualTo(30));
    List<NodeSetup> expected = Runs.quadratics(NODES, 3, node -> new DPsgd());
    Topology gap = new RingWithGap(CirculantTopology.ring(NODES));
    Clock.SIMULATED.runtime().run(Runs.plan(expected, gap, 30), Observer.NONE);
    for (int node = 0; node < NODES; node++) {
      if (node != CULPRIT) {
        assertThat(nodes.get(node).learner().parameters())
            .as("node %d", node)
            .containsExactly(expected.get(node).learner().parameters(), within(1e-5f));
      }
    }
  }
}

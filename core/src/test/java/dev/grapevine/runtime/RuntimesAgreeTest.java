package dev.grapevine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.protocol.DPsgd;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class RuntimesAgreeTest {

  private static final int NODES = 12;
  private static final int ROUNDS = 15;

  private static List<NodeSetup> run(NodeRuntime runtime, long seed) {
    List<NodeSetup> nodes = Runs.quadratics(NODES, seed, node -> new DPsgd());
    Outcome outcome =
        runtime.run(Runs.plan(nodes, new CirculantTopology(NODES, 2), ROUNDS), Observer.NONE);
    assertThat(outcome.reason()).isEmpty();
    assertThat(outcome.ending()).isEqualTo(Outcome.Ending.DONE);
    assertThat(outcome.nodes())
        .hasSize(NODES)
        .allSatisfy(node -> {
          assertThat(node.status()).isEqualTo(NodeOutcome.Status.FINISHED);
          assertThat(node.traffic().messagesSent()).isEqualTo(4L * ROUNDS);
          assertThat(node.traffic().payloadSent())
              .isEqualTo(4L * ROUNDS * Runs.PARAMETERS * Float.BYTES);
        });
    return nodes;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void simulatedAndLiveRunsEndWithTheSameBits(long seed) {
    List<float[]> simulated = Runs.models(run(Runs.simulated(2), seed));
    for (TransportKind transport : TransportKind.values()) {
      assertSameBits(Runs.models(run(Runs.live(transport), seed)), simulated);
    }
  }

  @Test
  void theTraceHashDoesNotDependOnTheNumberOfThreads() {
    Set<String> hashes = new HashSet<>();
    for (int threads : new int[] {1, 2, 8, 2, 8}) {
      List<NodeSetup> nodes = Runs.quadratics(NODES, 5, node -> new DPsgd());
      Outcome outcome =
          Runs.simulated(threads)
              .run(Runs.plan(nodes, CirculantTopology.ring(NODES), ROUNDS), Observer.NONE);
      hashes.add(outcome.traceHash().orElseThrow());
    }
    assertThat(hashes).hasSize(1);
  }

  private static void assertSameBits(List<float[]> actual, List<float[]> expected) {
    for (int node = 0; node < NODES; node++) {
      assertThat(actual.get(node))
          .as("node %d", node)
          .isEqualTo(Arrays.copyOf(expected.get(node), expected.get(node).length));
    }
  }

  @ParameterizedTest
  @EnumSource
  void interruptingTheCallerStopsTheRun(Clock clock) {
    Thread caller = Thread.currentThread();
    List<NodeSetup> nodes =
        Runs.quadratics(
            NODES,
            1,
            id ->
                self -> {
                  caller.interrupt();
                  while (true) {
                    self.sleep(Duration.ofSeconds(1));
                  }
                });
    Outcome outcome =
        clock.runtime().run(Runs.plan(nodes, CirculantTopology.ring(NODES), 1), Observer.NONE);
    assertThat(Thread.interrupted()).as("interrupt is used up").isFalse();
    assertThat(outcome.ending()).isEqualTo(Outcome.Ending.INTERRUPTED);
    assertThat(outcome.nodes())
        .allSatisfy(node -> assertThat(node.status()).isEqualTo(NodeOutcome.Status.STOPPED));
  }

  /** Tagged messages to nodes that are no neighbours, on every clock. */
  @ParameterizedTest
  @EnumSource
  void taggedMessagesReachAnyNode(Clock clock) {
    int[] sums = new int[NODES];
    List<NodeSetup> nodes =
        Runs.quadratics(
            NODES,
            1,
            id ->
                self -> {
                  for (int peer = 0; peer < NODES; peer++) {
                    if (peer != self.id()) {
                      self.send(peer, 7, 0, Payload.of(new byte[] {(byte) self.id()}));
                    }
                  }
                  for (int i = 1; i < NODES; i++) {
                    Message message = self.receive(Duration.ofDays(1)).orElseThrow();
                    assertThat(message.tag()).isEqualTo(7);
                    sums[self.id()] += message.payload().buffer().get();
                  }
                });
    Outcome outcome =
        clock.runtime().run(Runs.plan(nodes, CirculantTopology.ring(NODES), 1), Observer.NONE);
    assertThat(outcome.reason()).isEmpty();
    for (int node = 0; node < NODES; node++) {
      assertThat(sums[node]).isEqualTo(NODES * (NODES - 1) / 2 - node);
    }
  }
}

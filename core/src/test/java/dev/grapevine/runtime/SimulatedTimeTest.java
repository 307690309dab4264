package dev.grapevine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.network.FrameHeader;
import dev.grapevine.network.LatencyLinks;
import dev.grapevine.network.LinkContext;
import dev.grapevine.network.LinkModel;
import dev.grapevine.network.MatrixLinks;
import dev.grapevine.network.SharedBandwidthLinks;
import dev.grapevine.network.TraceLinks;
import dev.grapevine.protocol.DPsgd;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.runtime.compute.ComputeContext;
import dev.grapevine.runtime.compute.FixedCompute;
import dev.grapevine.runtime.compute.MeasuredCompute;
import dev.grapevine.runtime.compute.SpeedFactors;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.runtime.simulated.SimulatedRuntime;
import dev.grapevine.settings.Bandwidth;
import dev.grapevine.settings.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What takes how long on the virtual clock. */
@Timeout(120)
class SimulatedTimeTest {

  private static final Duration FOREVER = Duration.ofDays(10_000);

  /** One byte per microsecond. */
  private static final Bandwidth MEGABYTE = new Bandwidth(8e6);

  @TempDir private Path folder;

  private static LinkModel latency(int millis) {
    return new LatencyLinks(
        new LatencyLinks.Settings(Duration.ofMillis(millis), Duration.ZERO, 0),
        new LinkContext(4, 1));
  }

  private static LinkModel shared(int nodes) {
    return new SharedBandwidthLinks(
        new SharedBandwidthLinks.Settings(
            Duration.ofMillis(10), MEGABYTE, MEGABYTE, Duration.ZERO, 0),
        new LinkContext(nodes, 1));
  }

  private static SimulatedRuntime runtime(LinkModel links) {
    return new SimulatedRuntime(
        1, new FixedCompute(new FixedCompute.Settings(Duration.ofMillis(100))), links);
  }

  private static Outcome run(SimulatedRuntime runtime, int nodes, Protocol protocol) {
    return runtime.run(
        Runs.plan(Runs.quadratics(nodes, 1, node -> protocol), CirculantTopology.full(nodes), 3),
        Observer.NONE);
  }

  private static Payload bytes(int onTheWire) {
    return Payload.of(new byte[onTheWire - FrameHeader.BYTES]);
  }

  /** Node 0 sends to all others; when did it arrive, in ms. */
  private static TreeMap<Integer, Double> arrivals(LinkModel links, int nodes, int size) {
    TreeMap<Integer, Double> arrivals = new TreeMap<>();
    Outcome outcome =
        run(
            runtime(links),
            nodes,
            self -> {
              if (self.id() == 0) {
                for (int peer = 1; peer < nodes; peer++) {
                  self.send(peer, 1, 0, bytes(size));
                }
              } else {
                Message message = self.receive(FOREVER).orElseThrow();
                assertThat(message.sender()).isZero();
                arrivals.put(self.id(), self.time().toNanos() / 1e6);
              }
            });
    assertThat(outcome.reason()).isEmpty();
    return arrivals;
  }

  @Test
  void aRoundTakesTrainingPlusLatency() {
    Outcome outcome = run(runtime(latency(20)), 4, new DPsgd());
    assertThat(outcome.virtualTime()).contains(Duration.ofMillis(3 * 120));
    assertThat(outcome.nodes())
        .allSatisfy(
            node -> assertThat(node.phases().waiting()).isEqualTo(Duration.ofMillis(3 * 20)));
  }

  @Test
  void messagesShareTheUplinkOfTheirSender() {
    assertThat(arrivals(shared(2), 2, 50_000).get(1)).isCloseTo(60, within(1e-3));
    assertThat(arrivals(shared(4), 4, 50_000).values())
        .allSatisfy(time -> assertThat(time).isCloseTo(160, within(1e-3)));
  }

  @Test
  void messagesShareTheDownlinkOfTheirReceiver() {
    double[] times = new double[1];
    run(
        runtime(shared(4)),
        4,
        self -> {
          if (self.id() > 0) {
            self.send(0, 1, 0, bytes(50_000));
          } else {
            for (int i = 0; i < 3; i++) {
              self.receive(FOREVER).orElseThrow();
              times[0] = self.time().toNanos() / 1e6;
            }
          }
        });
    assertThat(times[0]).isCloseTo(160, within(1e-3));
  }

  @Test
  void aMatrixGivesEveryPairItsDelay() throws IOException {
    Path file = Files.writeString(folder.resolve("delays.csv"), "0,5,7\n1,0,1\n1,1,0\n");
    LinkModel links =
        new MatrixLinks(
            new MatrixLinks.Settings(file, Optional.empty(), Optional.empty(), Duration.ZERO, 0),
            new LinkContext(3, 1));
    assertThat(arrivals(links, 3, 1000)).containsEntry(1, 5.0).containsEntry(2, 7.0);
    Files.writeString(file, "0,5,7\n1,fast,1\n1,1,0\n");
    Assertions.assertThatThrownBy(() ->
            new MatrixLinks(
                new MatrixLinks.Settings(
                    file, Optional.empty(), Optional.empty(), Duration.ZERO, 0),
                new LinkContext(3, 1)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("line 2")
        .hasMessageContaining("\"fast\" is no delay");
  }

  @Test
  void aTraceChangesTheBandwidthOnTheWay() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("links.csv"),
            """
            time,node,latency,upload,download
            0,0,5,8,8
            0,1,5,800,800
            0.02,0,5,4,8
            """);
    LinkModel links =
        new TraceLinks(new TraceLinks.Settings(file, Duration.ZERO, 0), new LinkContext(2, 1));
    // 20 ms at 1 MB/s, the other 30 kB at 0.5 MB/s, then 10 ms on the way.
    assertThat(arrivals(links, 2, 50_000).get(1)).isCloseTo(20 + 60 + 10, within(1e-2));
  }

  @Test
  void aStragglerHoldsUpItsNeighbours() {
    SimulatedRuntime runtime =
        new SimulatedRuntime(
            1,
            new SpeedFactors(
                new SpeedFactors.Settings(Duration.ofMillis(100), List.of(1.0, 1.0, 10.0, 1.0), 0),
                new ComputeContext(4, 1)),
            latency(20));
    // The slow node never waits; the others have its last message one latency later.
    assertThat(run(runtime, 4, new DPsgd()).virtualTime())
        .contains(Duration.ofMillis(3 * 1000 + 20));
  }

  @Test
  void measuredTrainingTakesTime() {
    SimulatedRuntime runtime =
        new SimulatedRuntime(
            2, new MeasuredCompute(new MeasuredCompute.Settings(5, 0)), latency(0));
    Outcome outcome = run(runtime, 4, new DPsgd());
    assertThat(outcome.ending()).isEqualTo(Outcome.Ending.DONE);
    assertThat(outcome.nodes())
        .allSatisfy(node -> {
          assertThat(node.phases().training()).isPositive();
          assertThat(outcome.virtualTime().orElseThrow())
              .isGreaterThanOrEqualTo(node.phases().training().multipliedBy(5));
        });
  }

  @Test
  void allWorkTakesTimeWhereItIsMeasured() {
    Protocol works =
        self ->
            self.compute(() -> {
              long start = System.nanoTime();
              while (System.nanoTime() - start < 1_000_000) {
                Thread.onSpinWait();
              }
              return true;
            });
    MeasuredCompute measured = new MeasuredCompute(new MeasuredCompute.Settings(5, 0));
    assertThat(run(new SimulatedRuntime(2, measured, latency(0)), 2, works).virtualTime())
        .hasValueSatisfying(time -> assertThat(time).isGreaterThanOrEqualTo(Duration.ofMillis(5)));
    assertThat(run(runtime(latency(0)), 2, works).virtualTime()).hasValue(Duration.ZERO);
  }

  @Test
  void lossIsDrawnFromTheSeed() {
    LinkModel lossy =
        new LatencyLinks(
            new LatencyLinks.Settings(Duration.ofMillis(1), Duration.ofMillis(1), 0.3),
            new LinkContext(4, 1));
    int[] arrived = new int[2];
    for (int attempt = 0; attempt < 2; attempt++) {
      int run = attempt;
      run(
          runtime(lossy),
          2,
          self -> {
            if (self.id() == 0) {
              for (int i = 0; i < 1000; i++) {
                self.send(1, 1, 0, Payload.empty());
              }
            } else {
              while (self.receive(Duration.ofMillis(10)).isPresent()) {
                arrived[run]++;
              }
            }
          });
    }
    assertThat(arrived[0]).isBetween(650, 750).isEqualTo(arrived[1]);
  }

  @Test
  void aDeadlockIsReportedWithWhoWaitsForWhom() {
    Outcome outcome =
        run(
            runtime(latency(1)),
            4,
            self -> {
              if (self.id() != 2) {
                self.model().receive(0, self.neighbours(0));
              }
            });
    assertThat(outcome.ending()).isEqualTo(Outcome.Ending.STALLED);
    assertThat(outcome.reason())
        .contains("3 nodes wait")
        .contains("node 1 waits for nodes 0, 2, 3 in round 0");
  }

  @Test
  void interruptingTheCallerStopsTheRun() {
    Thread caller = Thread.currentThread();
    Outcome outcome =
        run(
            runtime(latency(1)),
            2,
            self -> {
              caller.interrupt();
              while (true) {
                self.sleep(Duration.ofSeconds(1));
              }
            });
    assertThat(outcome.ending()).isEqualTo(Outcome.Ending.INTERRUPTED);
    assertThat(outcome.nodes())
        .allSatisfy(node -> assertThat(node.status()).isEqualTo(NodeOutcome.Status.STOPPED));
  }
}

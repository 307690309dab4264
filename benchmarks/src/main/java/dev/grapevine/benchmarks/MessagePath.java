package dev.grapevine.benchmarks;

import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.node.Node;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.runtime.LiveRuntime;
import dev.grapevine.runtime.NodeSetup;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.RunObserver;
import dev.grapevine.runtime.RunPlan;
import dev.grapevine.sharing.FullSharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How fast dense models of 0.36 MB get from node to node: encoded, sent, received and merged, in
 * D-PSGD without training.
 */
public final class MessagePath {

  /** Parameters of GN-LeNet on CIFAR-10, about. */
  private static final int PARAMETERS = 90_000;

  private static final int PAYLOAD_LIMIT = 1 << 20;
  private static final int OPEN_LINKS = 4000;

  /**
   * What was measured.
   *
   * @param gigabytesPerSecond payload delivered and merged per second of wall time
   * @param gigabytesPerCpuSecond the same per second of processor time, for a machine that is busy
   *     with other things
   */
  public record Figures(
      TransportKind transport,
      int nodes,
      int rounds,
      double gigabytesPerSecond,
      double gigabytesPerCpuSecond) {}

  private MessagePath() {}

  /** Nodes of degree 5 that exchange full models. */
  public static Figures measure(TransportKind transport, int nodes, int rounds) {
    List<NodeSetup> setups = new ArrayList<>(nodes);
    for (int node = 0; node < nodes; node++) {
      float[] parameters = new float[PARAMETERS];
      SharingContext context =
          new SharingContext(
              node, nodes, parameters, List.of(), 1, RandomGenerator.of("L64X128MixRandom"));
      setups.add(
          new NodeSetup(new IdleLearner(parameters), new FullSharing(context), new Exchange()));
    }
    RunPlan plan = new RunPlan(setups, new RandomGraph(nodes), rounds, 1);
    LiveRuntime runtime =
        new LiveRuntime(
            new LiveRuntime.Settings(0, Duration.ofMinutes(1)),
            transport,
            PAYLOAD_LIMIT,
            OPEN_LINKS);
    double cpuBefore = ProcessorTime.seconds();
    Outcome outcome = runtime.run(plan, RunObserver.NONE);
    double cpu = ProcessorTime.seconds() - cpuBefore;
    double gigabytes =
        outcome.nodes().stream().mapToLong(node -> node.traffic().payloadReceived()).sum() / 1e9;
    return new Figures(
        transport,
        nodes,
        rounds,
        gigabytes / (outcome.wallTime().toNanos() / 1e9),
        gigabytes / cpu);
  }

  private static final class Exchange implements Protocol {

    @Override
    public void run(Node self) throws InterruptedException {
      for (int round = 0; round < self.rounds(); round++) {
        Neighbourhood neighbours = self.neighbours(round);
        self.send(neighbours, round, self.sharing().message(round, neighbours));
        self.sharing().merge(self.receiveFrom(neighbours, round));
      }
    }
  }
}

package dev.grapevine.benchmarks.rounds;

import dev.grapevine.aggregation.WeightedMean;
import dev.grapevine.benchmarks.measure.Median;
import dev.grapevine.benchmarks.measure.Memory;
import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.benchmarks.workload.Fleet;
import dev.grapevine.benchmarks.workload.IdleLearner;
import dev.grapevine.benchmarks.workload.IdleSharing;
import dev.grapevine.message.Payload;
import dev.grapevine.network.LatencyLinks;
import dev.grapevine.network.LinkContext;
import dev.grapevine.network.LinkModel;
import dev.grapevine.network.SharedBandwidthLinks;
import dev.grapevine.node.Node;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.runtime.NodeSetup;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.compute.FixedCompute;
import dev.grapevine.runtime.simulated.SimulatedRuntime;
import dev.grapevine.settings.Bandwidth;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How many messages a second the simulated runtime carries when nodes do nothing but exchange: a
 * random graph of degree 5, every node sends a small payload to each neighbour, waits for theirs
 * and pauses a while of its own.
 *
 * <p>As a program of its own, like a user's simulation, and unlike one in a JVM that has compiled
 * the other runtime before: prints the three figures, the later half of several readings.
 * Arguments: {@code latency} or {@code bandwidth}, nodes, rounds, readings.
 *
 * @param perSecond messages delivered per second of wall time
 * @param perProcessorSecond the same per second of processor time
 * @param bytesPerNode heap per waiting node
 */
record SimulatedMessages(double perSecond, double perProcessorSecond, double bytesPerNode) {

  private static final int PAYLOAD = 1000;

  public static void main(String[] arguments) {
    boolean limited = arguments[0].equals("bandwidth");
    int nodes = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    double[][] readings = new double[3][Integer.parseInt(arguments[3])];
    for (int i = 0; i < readings[0].length; i++) {
      SimulatedMessages messages =
          limited ? sharedBandwidth(nodes, rounds) : latencyOnly(nodes, rounds);
      readings[0][i] = messages.perSecond();
      readings[1][i] = messages.perProcessorSecond();
      readings[2][i] = messages.bytesPerNode();
    }
    System.out.printf(
        Locale.ROOT,
        "%f %f %f%n",
        Median.ofLate(readings[0]),
        Median.ofLate(readings[1]),
        Median.ofLate(readings[2]));
  }

  /** Delays of 5 ms to 50 ms, bandwidth without limit. */
  private static SimulatedMessages latencyOnly(int nodes, int rounds) {
    return measure(
        nodes,
        rounds,
        new LatencyLinks(
            new LatencyLinks.Settings(Duration.ofMillis(5), Duration.ofMillis(45), 0),
            new LinkContext(nodes, 1)));
  }

  /** The same delays, and 100 Mbit/s up and down. */
  private static SimulatedMessages sharedBandwidth(int nodes, int rounds) {
    Bandwidth hundredMegabits = new Bandwidth(100e6);
    return measure(
        nodes,
        rounds,
        new SharedBandwidthLinks(
            new SharedBandwidthLinks.Settings(
                Duration.ofMillis(5), hundredMegabits, hundredMegabits, Duration.ofMillis(45), 0),
            new LinkContext(nodes, 1)));
  }

  private static SimulatedMessages measure(int nodes, int rounds, LinkModel links) {
    HeapProbe probe = new HeapProbe(rounds / 2);
    Payload payload = Payload.of(new byte[PAYLOAD]);
    Exchange exchange = new Exchange(payload, probe);
    IdleLearner learner = new IdleLearner(new float[0]);
    List<NodeSetup> setups = Stream.generate(() -> setup(learner, exchange)).limit(nodes).toList();
    Plan plan = new Plan(setups, Fleet.regular(nodes, 0), rounds, 1);
    SimulatedRuntime runtime =
        new SimulatedRuntime(
            1, new FixedCompute(new FixedCompute.Settings(Duration.ofMillis(100))), links);
    long before = Memory.usedHeap();
    double cpuBefore = ProcessorTime.ofProcess();
    Outcome outcome = Fleet.run(runtime, plan);
    long delivered = outcome.nodes().stream().mapToLong(n -> n.traffic().messagesReceived()).sum();
    double cpu = ProcessorTime.ofProcess() - cpuBefore - probe.cpuSeconds;
    double seconds = (outcome.wallTime().toNanos() - probe.nanos) / 1e9;
    return new SimulatedMessages(
        delivered / seconds, delivered / cpu, (double) (probe.used - before) / nodes);
  }

  private static NodeSetup setup(IdleLearner learner, Exchange exchange) {
    return new NodeSetup(
        learner,
        new IdleSharing(),
        (name, vector) -> new IdleSharing(),
        new WeightedMean(),
        exchange,
        State.fresh());
  }

  private record Exchange(Payload payload, HeapProbe probe) implements Protocol {

    @Override
    public void run(Node self) throws InterruptedException {
      for (int round = 0; round < self.rounds(); round++) {
        Neighbourhood neighbours = self.neighbours(round);
        self.model().send(round, neighbours, payload);
        self.model().receive(round, neighbours);
        probe.look(round);
        self.sleep(Duration.ofNanos(self.random().nextLong(50_000_000, 150_000_000)));
      }
    }
  }

  /** Looks at the heap once in the middle of the run; that time does not count. */
  private static final class HeapProbe {

    private final int round;
    private long used;
    private long nanos;
    private double cpuSeconds;

    HeapProbe(int round) {
      this.round = round;
    }

    void look(int now) {
      if (now == round && used == 0) {
        long start = System.nanoTime();
        double cpuStart = ProcessorTime.ofProcess();
        used = Memory.usedHeap();
        nanos = System.nanoTime() - start;
        cpuSeconds = ProcessorTime.ofProcess() - cpuStart;
      }
    }
  }
}

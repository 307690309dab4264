package dev.grapevine.benchmarks;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.learning.Evaluation;
import dev.grapevine.learning.Learner;
import dev.grapevine.network.LatencyLinks;
import dev.grapevine.network.LinkContext;
import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.node.RandomStreams;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.protocol.ProtocolContext;
import dev.grapevine.protocol.Shared;
import dev.grapevine.runtime.FixedCompute;
import dev.grapevine.runtime.LiveRuntime;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.NodeSetup;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.RoundReport;
import dev.grapevine.runtime.RunObserver;
import dev.grapevine.runtime.RunPlan;
import dev.grapevine.runtime.SimulatedRuntime;
import dev.grapevine.settings.Registry;
import dev.grapevine.sharing.FullSharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What protocols cost beyond training: graphs that change against one that stays, a thousand nodes
 * of Epidemic Learning in one process, and TCP links that open and close all the time.
 */
public final class ProtocolBenchmark {

  private static final int PARAMETERS = 10_000;
  private static final Registry REGISTRY = Registry.load();

  private ProtocolBenchmark() {}

  /**
   * Processor time of a node's round.
   *
   * @param staticMicros on a random regular graph that stays
   * @param dynamicMicros on one that is drawn anew in every round
   */
  public record TopologyCost(int nodes, double staticMicros, double dynamicMicros) {
    public double overhead() {
      return dynamicMicros / staticMicros - 1;
    }
  }

  /**
   * D-PSGD on a 5-regular graph, with and without a new graph in every round; the better of several
   * runs each, in turns.
   *
   * @param steps how much the learners work: each step is one pass over a million values, about as
   *     much as one mini-batch of a small model
   */
  public static TopologyCost dynamicAgainstStatic(int nodes, int rounds, int steps) {
    double fixed = Double.MAX_VALUE;
    double dynamic = Double.MAX_VALUE;
    for (int run = 0; run < 4; run++) {
      fixed = Math.min(fixed, dPsgd(nodes, rounds, steps, "degree = 5"));
      dynamic = Math.min(dynamic, dPsgd(nodes, rounds, steps, "degree = 5\nredraw-every = 1"));
    }
    return new TopologyCost(nodes, fixed, dynamic);
  }

  private static double dPsgd(int nodes, int rounds, int steps, String settings) {
    Topology topology =
        REGISTRY
            .choose(Topology.FAMILY, "regular", settings)
            .create(new TopologyContext(nodes, 1, Path.of("")));
    double before = ProcessorTime.seconds();
    Outcome outcome =
        simulated().run(plan("d-psgd", "", topology, rounds, steps), RunObserver.NONE);
    requireDone(outcome);
    return 1e6 * (ProcessorTime.seconds() - before) / nodes / rounds;
  }

  /**
   * Epidemic Learning in one process.
   *
   * @param cpuMicros processor time of a node's round
   * @param heapBytesPerNode heap at the end, with 40 kB of parameters a node
   */
  public record EpidemicCost(
      int nodes, int rounds, double seconds, double cpuMicros, double heapBytesPerNode) {}

  /** EL-Local on the virtual clock with learners that do nothing. */
  public static EpidemicCost epidemic(int nodes, int rounds) {
    Topology topology =
        REGISTRY
            .choose(Topology.FAMILY, "ring", "")
            .create(new TopologyContext(nodes, 1, Path.of("")));
    long heapBefore = usedHeap();
    RunPlan plan = plan("el-local", "peers = 4\ndeadline = \"100 ms\"", topology, rounds, 0);
    double before = ProcessorTime.seconds();
    Outcome outcome = simulated().run(plan, RunObserver.NONE);
    double cpu = ProcessorTime.seconds() - before;
    requireDone(outcome);
    double heap = (double) (usedHeap() - heapBefore) / plan.nodes().size();
    return new EpidemicCost(
        nodes, rounds, outcome.wallTime().toNanos() / 1e9, 1e6 * cpu / nodes / rounds, heap);
  }

  /**
   * Open file descriptors of the process.
   *
   * @param most the most that were open at the end of any round
   */
  public record Descriptors(long before, long most, long after) {}

  /** A new graph in every round over TCP, with room for few connections at a time. */
  public static Descriptors changingLinks(int nodes, int rounds, int openLinks) {
    Topology topology =
        REGISTRY
            .choose(Topology.FAMILY, "ring", "")
            .create(new TopologyContext(nodes, 1, Path.of("")));
    long before = openDescriptors();
    AtomicLong most = new AtomicLong();
    LiveRuntime runtime =
        new LiveRuntime(
            new LiveRuntime.Settings(0, Duration.ofSeconds(60)),
            TransportKind.TCP,
            1 << 20,
            openLinks);
    RunObserver watch =
        new RunObserver() {
          @Override
          public void roundFinished(RoundReport report) {
            most.accumulateAndGet(openDescriptors(), Math::max);
          }
        };
    requireDone(runtime.run(plan("el-oracle", "peers = 4", topology, rounds, 0), watch));
    return new Descriptors(before, most.get(), openDescriptors());
  }

  private static RunPlan plan(
      String kind, String settings, Topology topology, int rounds, int steps) {
    int nodes = topology.nodes();
    var choice = REGISTRY.choose(Protocol.FAMILY, kind, settings);
    Shared shared = new Shared();
    List<NodeSetup> setups = new ArrayList<>(nodes);
    for (int node = 0; node < nodes; node++) {
      Learner learner = new BusyLearner(new float[PARAMETERS], steps);
      SharingContext sharing =
          new SharingContext(
              node,
              nodes,
              learner.parameters(),
              learner.blocks(),
              1,
              RandomStreams.of(1, node, "sharing"));
      Protocol protocol = choice.create(new ProtocolContext(node, nodes, 1, topology, shared));
      setups.add(new NodeSetup(learner, new FullSharing(sharing), protocol));
    }
    return new RunPlan(setups, topology, rounds, 1);
  }

  private static NodeRuntime simulated() {
    return new SimulatedRuntime(
        0,
        new FixedCompute(new FixedCompute.Settings(Duration.ofMillis(100))),
        new LatencyLinks(
            new LatencyLinks.Settings(Duration.ofMillis(5), Duration.ofMillis(5), 0),
            new LinkContext(0, 1)));
  }

  private static void requireDone(Outcome outcome) {
    if (outcome.ending() != Outcome.Ending.DONE) {
      throw new IllegalStateException("the run did not end well: " + outcome.reason());
    }
  }

  private static long openDescriptors() {
    return ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class)
        .getOpenFileDescriptorCount();
  }

  private static long usedHeap() {
    System.gc();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Passes over its parameters for so many million values and learns nothing. */
  private record BusyLearner(float[] parameters, int stepsPerRound) implements Learner {

    @Override
    public List<ParameterBlock> blocks() {
      return List.of(new ParameterBlock("x", new int[] {parameters.length}, 0));
    }

    @Override
    public int samples() {
      return 1;
    }

    @Override
    public double train() {
      for (int pass = 0; pass < stepsPerRound * (1_000_000 / PARAMETERS); pass++) {
        for (int i = 0; i < parameters.length; i++) {
          parameters[i] = parameters[i] * 0.999f + 0.001f;
        }
      }
      return 0;
    }

    @Override
    public double gradient(float[] gradient) {
      return 0;
    }

    @Override
    public void apply(float[] gradient) {}

    @Override
    public Evaluation test() {
      return new Evaluation(0, Double.NaN, 1);
    }
  }

  /** Prints all figures. */
  public static void main(String[] arguments) {
    for (int steps : new int[] {0, 1, 10}) {
      TopologyCost cost = dynamicAgainstStatic(256, steps == 10 ? 10 : 40, steps);
      print(
          "256 nodes, %2d steps: static %.0f µs, dynamic %.0f µs a node and round, overhead %.1f %%",
          steps, cost.staticMicros(), cost.dynamicMicros(), 100 * cost.overhead());
    }
    EpidemicCost epidemic = epidemic(1024, 30);
    print(
        "el-local, 1024 nodes, %d rounds: %.1f s, %.0f µs of CPU a node and round, %.0f kB a node",
        epidemic.rounds(),
        epidemic.seconds(),
        epidemic.cpuMicros(),
        epidemic.heapBytesPerNode() / 1e3);
    Descriptors descriptors = changingLinks(64, 20, 50);
    print(
        "TCP, 64 nodes, a new graph every round: %d descriptors before, at most %d, %d after",
        descriptors.before(), descriptors.most(), descriptors.after());
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}

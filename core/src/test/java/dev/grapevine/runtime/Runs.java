package dev.grapevine.runtime;

import dev.grapevine.learning.Learner;
import dev.grapevine.network.LatencyLinks;
import dev.grapevine.network.LinkContext;
import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.runtime.compute.FixedCompute;
import dev.grapevine.runtime.live.LiveRuntime;
import dev.grapevine.runtime.simulated.SimulatedRuntime;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.FullSharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/** Runtimes and plans for tests. */
public final class Runs {

  public static final int PARAMETERS = 10;

  private Runs() {}

  public static NodeRuntime simulated(int threads) {
    return new SimulatedRuntime(
        threads,
        new FixedCompute(new FixedCompute.Settings(Duration.ofMillis(100))),
        new LatencyLinks(
            new LatencyLinks.Settings(Duration.ofMillis(20), Duration.ofMillis(5), 0),
            new LinkContext(0, 7)));
  }

  public static NodeRuntime live(TransportKind transport) {
    return new LiveRuntime(
        new LiveRuntime.Settings(2, Duration.ofSeconds(1)), transport, 1 << 20, 1000);
  }

  /** Nodes with random starts and targets, and full sharing. */
  public static List<NodeSetup> quadratics(int nodes, long seed, IntFunction<Protocol> protocol) {
    return quadratics(nodes, seed, FullSharing::raw, protocol);
  }

  public static List<NodeSetup> quadratics(
      int nodes,
      long seed,
      Function<SharingContext, Encoding> sharing,
      IntFunction<Protocol> protocol) {
    List<NodeSetup> setups = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      RandomGenerator random = RandomStreams.of(seed, node, "quadratic");
      QuadraticLearner learner = new QuadraticLearner(vector(random), vector(random), 0.1f);
      SharingContext context = context(node, nodes, learner, seed);
      setups.add(NodeSetup.of(learner, context, sharing, protocol.apply(node)));
    }
    return setups;
  }

  public static SharingContext context(int node, int nodes, Learner learner, long seed) {
    return new SharingContext(
        node,
        nodes,
        learner.parameters(),
        learner.blocks(),
        seed,
        RandomStreams.of(seed, node, "sharing"));
  }

  public static Plan plan(List<NodeSetup> nodes, Topology topology, int rounds) {
    return new Plan(nodes, topology, rounds, 1);
  }

  public static float[] vector(RandomGenerator random) {
    float[] vector = new float[PARAMETERS];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }

  public static List<float[]> models(List<NodeSetup> nodes) {
    return nodes.stream().map(node -> node.learner().parameters()).toList();
  }
}

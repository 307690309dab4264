package dev.grapevine.benchmarks.workload;

import dev.grapevine.learning.Learner;
import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.NodeSetup;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.live.LiveRuntime;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.settings.Registry;
import dev.grapevine.sharing.FullSharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Nodes that send whole models to each other. Good for one run, as its nodes are. */
public final class Fleet {

  public static final int DEGREE = 5;

  /** Parameters of GN-LeNet on CIFAR-10. */
  private static final int PARAMETERS = 89_834;

  private static final int PAYLOAD_LIMIT = 1 << 20;
  private static final int SEED = 1;

  private final List<Learner> learners = new ArrayList<>();

  private Fleet(int nodes, IntFunction<Learner> learner) {
    for (int node = 0; node < nodes; node++) {
      learners.add(learner.apply(node));
    }
  }

  public static Fleet training(Training training, int nodes) {
    return new Fleet(nodes, node -> training.learner(node, nodes));
  }

  /** Nodes with models of GN-LeNet's size that do not learn. */
  public static Fleet idle(int nodes) {
    return new Fleet(nodes, node -> new IdleLearner(new float[PARAMETERS]));
  }

  public Plan plan(Topology topology, int rounds, Supplier<Protocol> protocol) {
    List<NodeSetup> setups = new ArrayList<>();
    for (int node = 0; node < learners.size(); node++) {
      Learner learner = learners.get(node);
      SharingContext context =
          new SharingContext(
              node,
              learners.size(),
              learner.parameters(),
              learner.blocks(),
              SEED,
              RandomStreams.of(SEED, node, "sharing"));
      setups.add(NodeSetup.of(learner, context, FullSharing::raw, protocol.get()));
    }
    return new Plan(setups, topology, rounds, SEED);
  }

  /** A random graph of degree 5, less among few nodes; drawn anew every so many rounds if not 0. */
  public static Topology regular(int nodes, int redrawEvery) {
    int degree = Math.min(DEGREE, nodes - 1);
    return Registry.load()
        .choose(
            Topology.FAMILY,
            "regular",
            "degree = %d%nredraw-every = %d".formatted(degree, redrawEvery))
        .create(new TopologyContext(nodes, SEED, Path.of("")));
  }

  /**
   * The wall clock, all cores.
   *
   * @param openLinks how many TCP connections are kept open
   */
  public static NodeRuntime live(TransportKind transport, int openLinks) {
    return new LiveRuntime(
        new LiveRuntime.Settings(0, Duration.ofMinutes(10)), transport, PAYLOAD_LIMIT, openLinks);
  }

  /** Runs a plan and insists that it comes to a good end. */
  public static Outcome run(NodeRuntime runtime, Plan plan) {
    Outcome outcome = runtime.run(plan, Observer.NONE);
    if (outcome.ending() != Outcome.Ending.DONE) {
      throw new IllegalStateException(
          "the run did not end well: ending=%s, reason=%s"
              .formatted(outcome.ending(), outcome.reason()));
    }
    return outcome;
  }
}

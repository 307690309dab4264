package dev.grapevine.protocol;

import dev.grapevine.aggregation.WeightedMean;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.runtime.CirculantTopology;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.NodeSetup;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.QuadraticLearner;
import dev.grapevine.runtime.Runs;
import dev.grapevine.runtime.Saving;
import dev.grapevine.runtime.churn.Churn;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.Faults;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.fault.MessageFaults;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.settings.Choice;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.FullSharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.state.State;
import dev.grapevine.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/** Nodes with random quadratics that are about to run a protocol, and what becomes of them. */
final class Trial {

  static final int LEARNERS = 9;

  final int learners;
  final Topology topology;
  final List<NodeSetup> nodes = new CopyOnWriteArrayList<>();
  final List<float[]> starts = new ArrayList<>();
  final List<float[]> targets = new ArrayList<>();
  FaultPolicy policy = FaultPolicy.WAIT;
  List<InjectedFault> faults = List.of();
  Observer observer = Observer.NONE;
  Churn churn = Churn.NONE;
  MessageFaults messages = MessageFaults.NONE;
  private final Entry entry;
  private final long seed;
  private final double rate;
  private final Function<SharingContext, Encoding> sharing;
  private final boolean sameStart;
  private final Choice<ProtocolContext, Protocol> choice;
  private final Shared shared = new Shared();

  /**
   * @param rate step of the learners; with 0 only mixing moves them
   */
  Trial(Entry entry, long seed, double rate) {
    this(entry, seed, rate, new CirculantTopology(LEARNERS, 2));
  }

  Trial(Entry entry, long seed, double rate, Topology topology) {
    this(entry, seed, rate, topology, FullSharing::raw, false);
  }

  Trial(
      Entry entry,
      long seed,
      double rate,
      Topology topology,
      Function<SharingContext, Encoding> sharing,
      boolean sameStart) {
    this(entry, seed, rate, topology, sharing, sameStart, node -> State.fresh());
  }

  /**
   * @param states what the nodes remember
   */
  Trial(
      Entry entry,
      long seed,
      double rate,
      Topology topology,
      Function<SharingContext, Encoding> sharing,
      boolean sameStart,
      IntFunction<State> states) {
    this.entry = entry;
    this.seed = seed;
    this.topology = topology;
    this.learners = topology.nodes();
    this.rate = rate;
    this.sharing = sharing;
    this.sameStart = sameStart;
    choice = entry.choice();
    int count = learners + protocol(0).servers();
    for (int node = 0; node < count; node++) {
      NodeSetup setup = node(node, count, states.apply(node));
      if (node < learners) {
        starts.add(setup.learner().parameters().clone());
        targets.add(((QuadraticLearner) setup.learner()).target());
      }
      nodes.add(setup);
    }
  }

  private Protocol protocol(int node) {
    return choice.create(new ProtocolContext(node, learners, seed, topology, shared));
  }

  private NodeSetup node(int node, int count, State state) {
    RandomGenerator random = RandomStreams.of(seed, node, "trial");
    float[] start = Runs.vector(sameStart ? RandomStreams.of(seed, -1, "trial") : random);
    float[] target = Runs.vector(random);
    QuadraticLearner learner = new QuadraticLearner(start, target, (float) rate);
    state.floats("learner/parameters", learner.parameters());
    return NodeSetup.of(
        learner,
        context(node, count, learner, state),
        sharing,
        new WeightedMean(),
        protocol(node),
        state);
  }

  /** Makes a node that comes back. */
  private NodeSetup again(int node, State state) {
    NodeSetup setup = node(node, nodes.size(), state);
    nodes.set(node, setup);
    return setup;
  }

  private SharingContext context(int node, int nodes, QuadraticLearner learner, State state) {
    State part = state.part("model");
    return new SharingContext(
        node,
        nodes,
        learner.parameters(),
        learner.blocks(),
        seed,
        part.stream("random", RandomStreams.of(seed, node, "sharing")),
        part,
        null);
  }

  /** Runs and saves, from the beginning or from a cut. */
  Outcome run(NodeRuntime runtime, int rounds, Saving saving) {
    return runtime.run(
        new Plan(
            List.copyOf(nodes),
            topology,
            rounds,
            seed,
            policy,
            new Faults(faults, messages, churn),
            new Saving(saving.cuts(), saving.from(), this::again)),
        observer);
  }

  Outcome run(NodeRuntime runtime, int rounds) {
    return run(runtime, rounds, Saving.NONE);
  }

  /** The models that count: the server's, or those of all learners. */
  List<float[]> results() {
    List<float[]> all = Runs.models(nodes);
    return entry.style().hasServerModel()
        ? all.subList(learners, all.size())
        : all.subList(0, learners);
  }

  static double[] mean(List<float[]> vectors) {
    double[] mean = new double[vectors.getFirst().length];
    for (float[] vector : vectors) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += (double) vector[i] / vectors.size();
      }
    }
    return mean;
  }

  /** Root mean square distance from a point. */
  static double distance(List<float[]> vectors, double[] from) {
    double sum = 0;
    for (float[] vector : vectors) {
      for (int i = 0; i < from.length; i++) {
        sum += (vector[i] - from[i]) * (vector[i] - from[i]);
      }
    }
    return Math.sqrt(sum / vectors.size() / from.length);
  }

  static double spread(List<float[]> vectors) {
    return distance(vectors, mean(vectors));
  }

  static double distance(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return Math.sqrt(sum / a.length);
  }
}

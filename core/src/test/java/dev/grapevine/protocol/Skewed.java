package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.runtime.MemoryCuts;
import dev.grapevine.runtime.NodeSetup;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.QuadraticLearner;
import dev.grapevine.runtime.Resumption;
import dev.grapevine.runtime.Runs;
import dev.grapevine.runtime.Saving;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.Faults;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.settings.Choice;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.state.State;
import dev.grapevine.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * A run whose learners differ in curvature and target: f_i = a_i (x − b_i)²/2 with a_i = 1 + i/4,
 * b_i = i in the first coordinate and 3 − 2i in the second, γ = 0.1.
 */
final class Skewed {

  static final float RATE = 0.1f;

  final List<NodeSetup> nodes = new ArrayList<>();
  final int learners;

  Skewed(String kind, String settings, Topology topology, int steps, int rounds) {
    this(kind, settings, "full", "", topology, steps, rounds);
  }

  Skewed(
      String kind,
      String settings,
      String sharing,
      String scheme,
      Topology topology,
      int steps,
      int rounds) {
    this(kind, settings, sharing, scheme, topology, RATE, 0, steps, new float[64][2]);
    run(topology, rounds, Observer.NONE);
  }

  private Skewed(
      String kind,
      String settings,
      String sharing,
      String scheme,
      Topology topology,
      float rate,
      float momentum,
      int steps,
      float[][] starts) {
    learners = topology.nodes();
    Choice<ProtocolContext, Protocol> choice =
        Entry.REGISTRY.choose(Protocol.FAMILY, kind, settings);
    Choice<SharingContext, Encoding> encodings =
        Entry.REGISTRY.choose(Encoding.FAMILY, sharing, scheme);
    Shared shared = new Shared();
    int count = learners;
    for (int node = 0; node < count; node++) {
      Protocol protocol = choice.create(new ProtocolContext(node, learners, 1, topology, shared));
      count = learners + protocol.servers();
      float[] start = node < starts.length ? starts[node] : new float[2];
      QuadraticLearner learner =
          new QuadraticLearner(
              start, new float[] {node, 3 - 2 * node}, 1 + 0.25f * node, rate, momentum, steps);
      nodes.add(
          NodeSetup.of(
              learner, Runs.context(node, count, learner, 1), encodings::create, protocol));
    }
  }

  /** Learners that begin somewhere else. */
  static Skewed from(
      float[][] starts, String kind, String settings, Topology topology, int rounds) {
    return from(starts, kind, settings, topology, RATE, 0, 1, rounds);
  }

  static Skewed from(
      float[][] starts,
      String kind,
      String settings,
      Topology topology,
      float rate,
      float momentum,
      int steps,
      int rounds) {
    Skewed skewed = new Skewed(kind, settings, "full", "", topology, rate, momentum, steps, starts);
    skewed.run(topology, rounds, Observer.NONE);
    return skewed;
  }

  /** Learners that do not move by themselves; what they remember is shown after each round. */
  static void mixing(
      float[][] starts,
      String kind,
      String settings,
      Topology topology,
      int rounds,
      BiConsumer<Integer, List<Map<String, State.Saved>>> whenAllHavePassed) {
    Skewed skewed = new Skewed(kind, settings, "full", "", topology, 0, 0, 1, starts);
    MemoryCuts cuts = new MemoryCuts(1);
    Outcome outcome =
        Runs.simulated(1)
            .run(
                new Plan(
                    skewed.nodes,
                    topology,
                    rounds,
                    1,
                    FaultPolicy.WAIT,
                    Faults.NONE,
                    new Saving(cuts, Resumption.NONE, null)),
                Observer.NONE);
    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Outcome.Ending.DONE);
    for (int round : cuts.rounds()) {
      whenAllHavePassed.accept(
          round,
          IntStream.range(0, skewed.learners).mapToObj(node -> cuts.saved(round, node)).toList());
    }
  }

  private void run(Topology topology, int rounds, Observer observer) {
    Outcome outcome = Runs.simulated(1).run(new Plan(nodes, topology, rounds, 1), observer);
    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Outcome.Ending.DONE);
  }

  float[][] models() {
    return Runs.models(nodes).toArray(float[][]::new);
  }

  /** The sum of a vector over all learners. */
  double sum(String name) {
    double sum = 0;
    for (NodeSetup node : nodes.subList(0, learners)) {
      sum += vector(node, name)[0];
    }
    return sum;
  }

  static float[] vector(NodeSetup node, String name) {
    return ((State.Floats) node.state().snapshot().get(name)).values();
  }
}

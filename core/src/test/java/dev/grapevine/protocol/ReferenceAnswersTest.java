package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.runtime.CirculantTopology;
import dev.grapevine.runtime.Clock;
import dev.grapevine.runtime.NodeSetup;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.QuadraticLearner;
import dev.grapevine.runtime.Runs;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.settings.Choice;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Known answers on one small problem: five nodes, f_i = a_i (x − b_i)²/2 with a = (1, 1.25, 1.5,
 * 1.75, 2) and b = (0, 1, 2, 3, 4), exact gradients, γ = 0.1, start 0, all weights 1/3 on a ring.
 * The optimum is 7/3. The answers are node 0's model after 1, 2, 3, 10 and very many rounds,
 * computed from the papers' formulas in double precision.
 */
@Timeout(120)
class ReferenceAnswersTest {

  private static final int NODES = 5;
  private static final double OPTIMUM = 7.0 / 3;
  private static final double DPSGD = 2.229449;
  private static final int VERY_MANY = 200;
  private static final String EXACT = "compressor = {kind = \"topk\", alpha = 1.0}";

  /** One line of the table. */
  private record Row(
      String protocol,
      String settings,
      String sharing,
      String scheme,
      String graph,
      float momentum,
      int steps,
      double[] answers) {

    Row(String protocol, String settings, double... answers) {
      this(protocol, settings, "full", "", "ring", 0, 1, answers);
    }

    Row over(String sharing, String scheme) {
      return new Row(protocol, settings, sharing, scheme, graph, momentum, steps, answers);
    }

    Row on(String graph) {
      return new Row(protocol, settings, sharing, scheme, graph, momentum, steps, answers);
    }

    Row training(double momentum, int steps) {
      return new Row(protocol, settings, sharing, scheme, graph, (float) momentum, steps, answers);
    }

    @Override
    public String toString() {
      return protocol + " " + settings + " " + sharing + " " + graph;
    }
  }

  static Stream<Row> rows() {
    String half = "momentum = 0.5";
    return Stream.of(
        new Row("all-reduce", "", .350000, .647500, .900375, 1.873960, OPTIMUM),
        new Row("d-psgd", "", .308333, .559931, .796406, 1.760404, DPSGD),
        new Row("d-psgd", "", 0, .308333, .516181, 1.510144, 1.997891)
            .over("dcd", "compressor = {kind = \"random\", alpha = 1.0, rescale = true}"),
        new Row("d2", "", .308333, .548819, .869299, 1.870737, OPTIMUM),
        new Row("exact-diffusion", "", .154167, .423194, .725185, 1.919134, OPTIMUM),
        new Row("nids", "", 0, .279062, .642224, 1.927673, OPTIMUM),
        new Row("extra", "", 0, .308333, .670347, 1.925755, OPTIMUM),
        new Row("gradient-tracking", "", .308333, .548819, .838744, 1.871815, OPTIMUM),
        new Row("gradient-tracking", "form = \"diging\"", 0, .616667, .712917, 1.876571, OPTIMUM),
        new Row(
            "gradient-tracking", "form = \"atc\"", .308333, .544792, .835408, 1.868198, OPTIMUM),
        new Row("k-gt", "", .289239, .522359, .797649, 1.828228, OPTIMUM).training(0, 3),
        new Row("gt-hsgd", "", .297222, .605432, .863388, 1.873515, OPTIMUM),
        new Row("d-psgd", "", .308333, .714097, 1.130642, 2.214821, 2.157809).training(0.5, 1),
        new Row("decentlam", half, .308333, .714097, 1.125086, 2.291281, DPSGD),
        new Row(
            "qg-dsgdm",
            half + "\ndecay = 0.5\nnesterov = false",
            .308333,
            .634236,
            .993205,
            2.377038,
            DPSGD),
        new Row("beer", "", 0, .154167, .462847, 1.719757, OPTIMUM)
            .over("choco", "gamma = 0.5\n" + EXACT),
        new Row("push-sum", "", .400000, .845000, 1.219313, 2.177522, 2.623147).on("directed-ring"),
        new Row("relay-sgd", "", .025000, .104375, .283381, 1.305873, OPTIMUM).on("chain"));
  }

  static Stream<Arguments> everywhere() {
    return rows().flatMap(row -> Stream.of(Clock.values()).map(clock -> Arguments.of(row, clock)));
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void theFirstRoundsAreThoseOfTheFormula(Row row, Clock clock) {
    int[] rounds = {1, 2, 3, 10};
    for (int i = 0; i < rounds.length; i++) {
      assertThat(run(row, clock, rounds[i]))
          .as("after %d rounds", rounds[i])
          .isCloseTo(row.answers()[i], within(1e-6 * Math.max(1, row.answers()[i])));
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void itEndsWhereTheorySays(Row row) {
    assertThat(run(row, Clock.SIMULATED, VERY_MANY)).isCloseTo(row.answers()[4], within(2e-5));
  }

  private static double run(Row row, Clock clock, int rounds) {
    Topology topology = topology(row.graph());
    Choice<ProtocolContext, Protocol> protocol =
        Entry.REGISTRY.choose(Protocol.FAMILY, row.protocol(), row.settings());
    Choice<SharingContext, Encoding> sharing =
        Entry.REGISTRY.choose(Encoding.FAMILY, row.sharing(), row.scheme());
    Shared shared = new Shared();
    List<NodeSetup> nodes = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      QuadraticLearner learner =
          new QuadraticLearner(
              new float[1],
              new float[] {node},
              1 + 0.25f * node,
              0.1f / row.steps(),
              row.momentum(),
              row.steps());
      nodes.add(
          NodeSetup.of(
              learner,
              Runs.context(node, NODES, learner, 1),
              sharing::create,
              protocol.create(new ProtocolContext(node, NODES, 1, topology, shared))));
    }
    Outcome outcome = clock.runtime().run(new Plan(nodes, topology, rounds, 1), Observer.NONE);
    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Outcome.Ending.DONE);
    return nodes.getFirst().learner().parameters()[0];
  }

  private static Topology topology(String graph) {
    return switch (graph) {
      case "ring" -> CirculantTopology.ring(NODES);
      case "chain" -> kind("tree", "branching = 1");
      default -> kind(graph, "");
    };
  }

  private static Topology kind(String kind, String settings) {
    return Entry.REGISTRY
        .choose(Topology.FAMILY, kind, settings)
        .create(new TopologyContext(NODES, 1, Path.of("")));
  }
}

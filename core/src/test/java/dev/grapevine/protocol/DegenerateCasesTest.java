package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.protocol.Entry.Mixing;
import dev.grapevine.protocol.Entry.Style;
import dev.grapevine.runtime.CirculantTopology;
import dev.grapevine.runtime.NodeSetup;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.QuadraticLearner;
import dev.grapevine.runtime.Runs;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.settings.Choice;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.state.State;
import dev.grapevine.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Protocols that become another one for some settings, and what their vectors add up to. */
@Timeout(120)
class DegenerateCasesTest {

  private static final int ROUNDS = 20;

  /** A run whose learners differ in curvature and target. */
  private static final class Skewed {

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
        QuadraticLearner learner =
            new QuadraticLearner(
                new float[2], new float[] {node, 3 - 2 * node}, 1 + 0.25f * node, 0.1f, 0, steps);
        nodes.add(
            NodeSetup.of(
                learner, Runs.context(node, count, learner, 1), encodings::create, protocol));
      }
      Outcome outcome = Runs.simulated(1).run(new Plan(nodes, topology, rounds, 1), Observer.NONE);
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

  private static final Topology RING = CirculantTopology.ring(5);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exact-diffusion | lazy = false                  | d2        | ''",
        "qg-dsgdm        | momentum = 0.0                | d-psgd    | ''",
        "decentlam       | momentum = 0.0                | d-psgd    | ''",
        "dfedsam         | rho = 0.0                     | d-psgd    | ''",
        "k-gt            | ''                            | gradient-tracking | ''",
      })
  void isAnotherProtocolForSomeSettings(
      String kind, String settings, String other, String otherSettings) {
    boolean sameArithmetic = !kind.equals("k-gt") && !kind.equals("decentlam");
    float[][] models = new Skewed(kind, settings, RING, 1, ROUNDS).models();
    float[][] expected = new Skewed(other, otherSettings, RING, 1, ROUNDS).models();
    for (int node = 0; node < models.length; node++) {
      for (int i = 0; i < models[node].length; i++) {
        assertThat(models[node][i])
            .isCloseTo(expected[node][i], within(sameArithmetic ? 0f : 1e-5f));
      }
    }
  }

  /** The part of the coordinates that node i answers for is what D-PSGD gives node i. */
  @Test
  void allReduceIsDpsgdOnAFullyConnectedGraph() {
    Entry allReduce = new Entry("all-reduce", "", Style.IN_STEP, Mixing.KEEPS_MEAN, 1, 1);
    Entry dpsgd = new Entry("d-psgd", "", Style.IN_STEP, Mixing.KEEPS_MEAN, 1, 1);
    Topology full = CirculantTopology.full(5);
    Trial reduced = new Trial(allReduce, 1, 0.1, full);
    Trial mixed = new Trial(dpsgd, 1, 0.1, full);
    reduced.run(Runs.simulated(1), 1);
    mixed.run(Runs.simulated(1), 1);
    for (int i = 0; i < Runs.PARAMETERS; i++) {
      float expected = mixed.results().get(i * 5 / Runs.PARAMETERS)[i];
      for (float[] model : reduced.results()) {
        assertThat(model[i]).isEqualTo(expected);
      }
    }
  }

  @Test
  void relayingBetweenTwoIsAllReduce() {
    Topology two = CirculantTopology.ring(2);
    float[][] relayed = new Skewed("relay-sgd", "", two, 1, ROUNDS).models();
    float[][] reduced = new Skewed("all-reduce", "", two, 1, ROUNDS).models();
    for (int node = 0; node < 2; node++) {
      assertThat(relayed[node]).containsExactly(reduced[node], within(1e-6f));
    }
  }

  @Test
  void theCorrectionsOfKgtAddUpToZero() {
    Skewed skewed = new Skewed("k-gt", "", RING, 3, ROUNDS);
    assertThat(skewed.sum("correction")).isCloseTo(0, within(1e-5));
    assertThat(Skewed.vector(skewed.nodes.getFirst(), "correction")[0])
        .isNotCloseTo(0, within(0.1f));
  }

  @ParameterizedTest
  @CsvSource({"gradient-tracking,gradient", "beer,gradient", "gt-hsgd,estimate"})
  void trackersAddUpToTheGradients(String kind, String gradient) {
    Skewed skewed = new Skewed(kind, "", RING, 1, 5);
    assertThat(skewed.sum("tracker")).isCloseTo(skewed.sum(gradient), within(1e-4));
    assertThat(Math.abs(skewed.sum("tracker"))).isGreaterThan(0.5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"topk", "random"})
  void compressionLeavesTheSumOfBeersTrackers(String compressor) {
    String choco = "gamma = 0.3\ncompressor = {kind = \"" + compressor + "\", alpha = 0.5}";
    Skewed skewed = new Skewed("beer", "", "choco", choco, RING, 1, 5);
    assertThat(skewed.sum("tracker")).isCloseTo(skewed.sum("gradient"), within(1e-4));
    Skewed end = new Skewed("beer", "", "choco", choco, RING, 1, 400);
    assertThat(end.models()[0][0]).isCloseTo(7f / 3, within(1e-3f));
  }

  @Test
  void theServersControlIsTheMeanOfTheClients() {
    Skewed skewed = new Skewed("scaffold", "", RING, 3, ROUNDS);
    float server = Skewed.vector(skewed.nodes.getLast(), "control")[0];
    assertThat(skewed.sum("control") / skewed.learners).isCloseTo(server, within(1e-5));
  }

  /** In the first round all controls are zero. */
  @Test
  void scaffoldWithoutControlsIsFederatedAveraging() {
    float[][] scaffold = new Skewed("scaffold", "", RING, 3, 1).models();
    float[][] federated = new Skewed("federated", "", RING, 3, 1).models();
    assertThat(scaffold[5]).containsExactly(federated[5], within(1e-6f));
  }

  @Test
  void scaffoldIsExactWhereFederatedAveragingIsNot() {
    float scaffold = new Skewed("scaffold", "", RING, 3, 300).models()[5][0];
    float federated = new Skewed("federated", "", RING, 3, 300).models()[5][0];
    assertThat(scaffold).isCloseTo(7f / 3, within(1e-5f));
    assertThat(federated).isNotCloseTo(7f / 3, within(1e-2f));
  }

  /** So small a change leaves nothing in v: what is left is a mean of changes. */
  @ParameterizedTest
  @ValueSource(strings = {"adagrad", "yogi", "adam"})
  void adaptiveServersWithLargeTauAverage(String rule) {
    String settings = "rule = \"%s\"\nbeta1 = 0.0\nrate = 1e6\ntau = 1e6".formatted(rule);
    float[] adaptive = new Skewed("fedopt", settings, RING, 1, ROUNDS).models()[5];
    float[] federated = new Skewed("federated", "", RING, 1, ROUNDS).models()[5];
    assertThat(adaptive).containsExactly(federated, within(1e-4f));
  }

  @Test
  void mixingMoreOftenBringsModelsCloser() {
    double once = spread(new Skewed("dfedsam", "mixes = 1", RING, 1, ROUNDS));
    double thrice = spread(new Skewed("dfedsam", "mixes = 3", RING, 1, ROUNDS));
    assertThat(thrice).isLessThan(once / 2);
  }

  private static double spread(Skewed skewed) {
    return Trial.spread(List.of(skewed.models()));
  }
}

package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.protocol.Entry.Mixing;
import dev.grapevine.protocol.Entry.Style;
import dev.grapevine.runtime.CirculantTopology;
import dev.grapevine.runtime.Runs;
import dev.grapevine.topology.Topology;
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
        "overlap-sgp     | delay = 0                     | push-sum  | ''",
        "shatter         | fragments = 1; peers = 2      | el-oracle | peers = 2",
        "div-share       | fragment = 1.0; peers = 2     | el-local  | peers = 2",
        "swift           | listen = \"50 ms\"           | d-psgd    | ''",
      })
  void isAnotherProtocolForSomeSettings(
      String kind, String settings, String other, String otherSettings) {
    boolean sameArithmetic = !kind.equals("k-gt") && !kind.equals("decentlam");
    float[][] models = new Skewed(kind, lines(settings), RING, 1, ROUNDS).models();
    float[][] expected = new Skewed(other, lines(otherSettings), RING, 1, ROUNDS).models();
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

  /** In its first round BEER's replicas are zero and nothing is mixed: tracking begins after it. */
  @Test
  void beerWithoutCompressionIsTrackingThatBeginsARoundLater() {
    float[][] beer = new Skewed("beer", "", RING, 1, ROUNDS).models();
    float[][] begun = new Skewed("no-communication", "", RING, 1, 1).models();
    float[][] tracking =
        Skewed.from(begun, "gradient-tracking", "form = \"diging\"", RING, ROUNDS - 1).models();
    for (int node = 0; node < beer.length; node++) {
      assertThat(beer[node]).containsExactly(tracking[node], within(1e-5f));
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
  @CsvSource({
    "gradient-tracking,'',gradient",
    "gradient-tracking,'form = \"diging\"',gradient",
    "gradient-tracking,'form = \"atc\"',gradient",
    "beer,'',gradient",
    "gt-hsgd,'',estimate"
  })
  void trackersAddUpToTheGradients(String kind, String settings, String gradient) {
    Skewed skewed = new Skewed(kind, settings, RING, 1, 5);
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

  private static String lines(String settings) {
    return settings.replace("; ", "\n");
  }
}

package dev.grapevine.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.message.Payload;
import dev.grapevine.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two nodes with weights of one half, three coordinates, one or two rounds, worked out by hand. */
final class SchemesByHandTest {

  private static final float[] FIRST = {4, 1, -2};
  private static final float[] SECOND = {0, 2, 6};
  private static final String THIRD = "alpha = 0.34";

  private final Topology pair = Network.topology("fully-connected", "", 2, 1);

  private Network fromZero(String kind, String settings) {
    return Network.of(kind, settings, pair, new float[2][3], 1);
  }

  private static void step(Network network, float[] first, float[] second) {
    network.round((node, model) -> {
      float[] change = node == 0 ? first : second;
      for (int i = 0; i < model.length; i++) {
        model[i] += change[i];
      }
    });
  }

  private static void assertModels(Network network, double[] first, double[] second) {
    for (int i = 0; i < first.length; i++) {
      assertThat((double) network.models[0][i])
          .as("node 0, coordinate %d", i)
          .isCloseTo(first[i], Offset.offset(1e-5));
      assertThat((double) network.models[1][i])
          .as("node 1, coordinate %d", i)
          .isCloseTo(second[i], Offset.offset(1e-5));
    }
  }

  private static double[] d(double... values) {
    return values;
  }

  private static float[] f(double... values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  @Test
  void roundRobinAveragesOneCoordinateAfterTheOther() {
    Network network = fromZero("round-robin", THIRD);
    step(network, FIRST, SECOND);
    assertModels(network, d(2, 1, -2), d(2, 2, 6));
    step(network, f(0, 0, 0), f(0, 0, 0));
    assertModels(network, d(2, 1.5, -2), d(2, 1.5, 6));
    step(network, f(0, 0, 0), f(0, 0, 0));
    assertModels(network, d(2, 1.5, 2), d(2, 1.5, 2));
  }

  @Test
  void subsamplingSendsASeedACountAndOneValue() {
    Network network = fromZero("subsampling", THIRD);
    step(network, FIRST, SECOND);
    float[] both = {2, 1.5f, 2};
    for (int node = 0; node < 2; node++) {
      float[] before = node == 0 ? FIRST : SECOND;
      int changed = 0;
      for (int i = 0; i < 3; i++) {
        if (network.models[node][i] != before[i]) {
          assertThat(network.models[node][i]).isEqualTo(both[i]);
          changed++;
        }
      }
      assertThat(changed).isEqualTo(1);
    }
    Payload payload = network.sharings[0].message(1, pair.neighbours(0, 1)).to(1);
    assertThat(payload.size()).isEqualTo(16);
    assertThat(payload.metadataSize()).isEqualTo(12);
  }

  /** In the first round the largest parameter, change and accumulated change are one. */
  @ParameterizedTest
  @CsvSource({"topk", "topk-change", "accumulation", "bounded"})
  void sendsTheCoordinateWithTheHighestScore(String kind) {
    Network network = fromZero(kind, kind.equals("bounded") ? THIRD + "\nalpha-low = 0" : THIRD);
    step(network, FIRST, SECOND);
    assertModels(network, d(4, 1, 2), d(2, 2, 6));
  }

  @Test
  void topkSendsTheLargestParameterAgain() {
    Network network = secondRound("topk", THIRD);
    assertModels(network, d(4, 1.5, 4.5), d(3, 2, 7));
  }

  @Test
  void topkChangeLooksAtTheLastTrainingOnly() {
    Network network = secondRound("topk-change", THIRD);
    assertModels(network, d(4, 1.5, 4.5), d(2, 1.75, 7));
  }

  /** v = (0, 1.5, −2) and (0, 2, 1): what was sent starts again from zero. */
  @Test
  void accumulationOneAddsUpTraining() {
    Network network = secondRound("accumulation", THIRD + "\nversion = 1");
    assertModels(network, d(4, 1.75, 2), d(2, 2, 4.5));
  }

  /** v = (4, 1, 2) + (0, 0.5, 0) and (2, 2, 6) + (0, 0, 1): the whole round's change comes back. */
  @Test
  void accumulationTwoAddsUpWholeRounds() {
    Network network = secondRound("accumulation", THIRD + "\nversion = 2");
    assertModels(network, d(4, 1.5, 4.5), d(3, 2, 7));
  }

  /** In the third round what was sent in the second counts from the second's beginning. */
  @Test
  void accumulationTwoForgetsWhatWasSent() {
    Network network = secondRound("accumulation", THIRD + "\nversion = 2");
    // Node 0 sent coordinate 0 at 4 and stands at (4, 1.5, 4.5): v = (0, 1.5, 4.5).
    // Node 1 sent coordinate 2, at 6 when the round began, now 7: v = (3, 2, 1).
    step(network, f(0, 0, 0), f(0, 0, 0));
    assertModels(network, d(3.5, 1.5, 4.5), d(3, 2, 5.75));
  }

  private Network secondRound(String kind, String settings) {
    Network network = fromZero(kind, settings);
    step(network, FIRST, SECOND);
    step(network, f(0, 0.5, 0), f(0, 0, 1));
    return network;
  }

  /** 4/(13+1) < 1/(1+1): the small coordinate's change weighs more. */
  @Test
  void normalizedLooksAtTheChangeInRelationToTheMagnitude() {
    Network network =
        Network.of(
            "normalized", THIRD + "\nepsilon = 1", pair, new float[][] {{9, 0, 0}, {9, 0, 0}}, 1);
    step(network, f(4, 1, 0), f(0, 0, 0.5));
    assertModels(network, d(13, 1, 0.25), d(9, 0.5, 0.5));
  }

  /** Two of three are sent; from the second round on one of them is one that was never sent. */
  @Test
  void boundedLooksAfterWhatIsNeverSent() {
    Network network = fromZero("bounded", "alpha = 0.67\nalpha-low = 0.5");
    step(network, FIRST, SECOND);
    assertModels(network, d(4, 1.5, 2), d(2, 2, 2));
    step(network, f(0, 0, 9), f(0, 0, 9));
    assertModels(network, d(3, 1.5, 11), d(2, 1.75, 11));
  }

  /** Coordinate 2 reaches node 0 from two peers, the others from one. */
  @Test
  void parameterWiseAveragesOverThoseWhoSent() {
    Topology three = Network.topology("fully-connected", "", 3, 1);
    float[][] models = {{4, 1, -2}, {0, 2, 6}, {1, 1, 8}};
    Network network =
        Network.of("topk", THIRD + "\naveraging = \"parameter-wise\"", three, models, 1);
    network.round((node, model) -> {});
    assertThat(network.models[0]).containsExactly(f(4, 1, 4), Offset.offset(1e-5f));
    assertThat(network.models[1]).containsExactly(f(2, 2, 7), Offset.offset(1e-5f));
    assertThat(network.models[2]).containsExactly(f(2.5, 1, 7), Offset.offset(1e-5f));
  }

  /** Haar of (x, y, z): ((x+y)/√2, √2 z, (x−y)/√2, 0). The largest are the first and the second. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wavelet | alpha = 0.25",
        "jwins | alphas = [0.25]; level = 1",
        "jwins++ | alpha = 0.25; alpha-low = 0; values = \"raw\"",
      })
  void waveletsSendACoefficient(String kind, String settings) {
    Network network = fromZero(kind, SchemePropertiesTest.lines(settings) + "\nwavelet = \"haar\"");
    step(network, FIRST, SECOND);
    assertModels(network, d(4, 1, 2), d(0.75, 2.75, 6));
  }

  /** Of (3, 4.5 − 2.6i) the second, of (8, −4 + 3.46i) the first has the largest modulus. */
  @Test
  void fourierSendsAComplexCoefficient() {
    Network network = fromZero("fourier", "alpha = 0.25");
    step(network, FIRST, SECOND);
    assertModels(network, d(4.833333, 1.833333, -1.166667), d(2.833333, 2.333333, 2.833333));
  }

  @ParameterizedTest
  @CsvSource({"fixed", "changing"})
  void chocoMovesTowardsTheReplicas(String neighbours) {
    Network network =
        fromZero(
            "choco",
            "gamma = 0.5\ncompressor = {kind = \"topk\", alpha = 0.34}\nneighbours = \"%s\""
                .formatted(neighbours));
    step(network, FIRST, SECOND);
    assertModels(network, d(3, 1, -0.5), d(1, 2, 4.5));
    step(network, f(0, 0, 0), f(0, 0, 0));
    assertModels(network, d(2.25, 1.5, 1), d(1.75, 1.5, 3));
  }

  /** Mixing starts from the models before training: u alone at first, then mean + u. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"dcd | ''", "ecd | ''", "ecsd | gamma = 1"})
  void withoutCompressionTheyAreDPsgdAsLianWritesIt(String kind, String gamma) {
    Network network = fromZero(kind, gamma + "\ncompressor = {kind = \"random\", alpha = 1.0}");
    step(network, FIRST, SECOND);
    assertModels(network, d(4, 1, -2), d(0, 2, 6));
    step(network, f(1, 0, 0), f(1, 0, 0));
    assertModels(network, d(3, 1.5, 2), d(3, 1.5, 2));
    step(network, f(0, 0, 1), f(0, 0, -1));
    assertModels(network, d(3, 1.5, 3), d(3, 1.5, 1));
  }

  /**
   * Two coordinates of three, drawn by lot and scaled by 3/2, so that C is unbiased. From zero z =
   * u, x = C(u): models are what their replicas are. Then z = (x_1 + x_2)/2 − x, of which again two
   * coordinates arrive, scaled.
   */
  @Test
  void dcdMovesByTheCompressedDifference() {
    Network network =
        fromZero("dcd", "compressor = {kind = \"random\", alpha = 0.67, rescale = true}");
    step(network, FIRST, SECOND);
    float[][] once = copies(network);
    assertTwoScaled(once[0], new float[3], FIRST);
    assertTwoScaled(once[1], new float[3], SECOND);
    step(network, f(0, 0, 0), f(0, 0, 0));
    for (int node = 0; node < 2; node++) {
      float[] pull = new float[3];
      for (int i = 0; i < 3; i++) {
        pull[i] = (once[1 - node][i] - once[node][i]) / 2;
      }
      assertTwoScaled(network.models[node], once[node], pull);
    }
  }

  /**
   * The largest of three arrives. In the second round node 0 wants (−1, 0, 1.5) of mixing, (0, 0.5,
   * 0) of training and (0, 1, −2) that was left out.
   */
  @Test
  void ecsdMakesUpForWhatWasLeftOut() {
    Network network = fromZero("ecsd", "gamma = 0.5\ncompressor = {kind = \"topk\", alpha = 0.34}");
    step(network, FIRST, SECOND);
    assertModels(network, d(4, 0, 0), d(0, 0, 6));
    step(network, f(0, 0.5, 0), f(0, 0, 0));
    assertModels(network, d(4, 1.5, 0), d(0, 2, 6));
    step(network, f(0, 0, 0), f(0, 0, 0));
    assertModels(network, d(2, 1.5, 0), d(0, 2, 3));
  }

  /**
   * From zero and t = 1: x = u, z = u/2, C(z) = 3/2 u_k e_k, y = −0 + 2 C(z) = 3 u_k e_k. At t = 2
   * both models are (y_1 + y_2)/2.
   */
  @Test
  void ecdMixesEstimatesFromCompressedExtrapolations() {
    Network network = fromZero("ecd", ONE_TRIPLED);
    step(network, FIRST, SECOND);
    assertModels(network, d(4, 1, -2), d(0, 2, 6));
    step(network, f(0, 0, 0), f(0, 0, 0));
    assertThat(network.models[0]).containsExactly(network.models[1], Offset.offset(1e-5f));
    List<float[]> possible = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      for (int m = 0; m < 3; m++) {
        float[] mean = new float[3];
        mean[k] += 1.5f * FIRST[k];
        mean[m] += 1.5f * SECOND[m];
        possible.add(mean);
      }
    }
    assertThat(possible).anyMatch(mean -> Arrays.equals(mean, network.models[0]));
  }

  private static final String ONE_TRIPLED =
      "compressor = {kind = \"random\", alpha = 0.34, rescale = true}";

  private static float[][] copies(Network network) {
    return new float[][] {network.models[0].clone(), network.models[1].clone()};
  }

  /** That one coordinate has moved by three times its difference, and no other has. */
  private static void assertTwoScaled(float[] actual, float[] before, float[] difference) {
    List<float[]> possible = new ArrayList<>();
    for (int left = 0; left < 3; left++) {
      float[] after = before.clone();
      for (int k = 0; k < 3; k++) {
        after[k] += k == left ? 0 : 1.5f * difference[k];
      }
      possible.add(after);
    }
    assertThat(possible).anyMatch(after -> Arrays.equals(after, actual));
  }

  @Test
  void deepSqueezeKeepsWhatCompressionTookAway() {
    Network network =
        fromZero("deepsqueeze", "eta = 0.5\ncompressor = {kind = \"topk\", alpha = 0.34}");
    step(network, FIRST, SECOND);
    assertModels(network, d(3, 1, -0.5), d(1, 2, 4.5));
    step(network, f(0, 0, 0), f(0, 0, 0));
    assertModels(network, d(2.25, 1, 0.625), d(1.75, 2, 3.375));
  }

  /** One value alone has the bucket's norm and is exact at any number of levels. */
  @Test
  void qsgdSendsANormAndTwoBitsAValue() {
    Network network = fromZero("qsgd", "bits = 2\nbucket = 3");
    step(network, f(0, 0, 5), f(0, -3, 0));
    assertModels(network, d(0, 0, 5), d(0, -3, 0));
    // Four bytes of checksum, four of norm, six bits of levels.
    assertThat(network.sharings[0].message(1, pair.neighbours(0, 1)).to(1).size()).isEqualTo(9);
  }

  @Test
  void powerGossipSendsSmallBlocksWhole() {
    Network network = fromZero("power-gossip", "rank = 1");
    step(network, FIRST, SECOND);
    assertModels(network, d(2, 1.5, 2), d(2, 1.5, 2));
  }

  /** The first round finds the left vector of u vᵀ whatever it started from; the second ends it. */
  @Test
  void powerGossipEndsADifferenceOfRankOneInTwoRounds() {
    float[] u = {1, -2, 3, 0.5f};
    float[] v = {2, 1, -1, 4};
    float[][] models = new float[2][16];
    for (int i = 0; i < 16; i++) {
      models[0][i] = i;
      models[1][i] = i + u[i / 4] * v[i % 4];
    }
    List<ParameterBlock> matrix = List.of(new ParameterBlock("w", new int[] {4, 4}, 0));
    Network network = Network.of("power-gossip", "rank = 1", pair, models, matrix, 1);
    long bytes = network.round((node, model) -> {});
    assertThat(bytes).isEqualTo(2 * (4 + 4 * 4));
    network.round((node, model) -> {});
    for (int i = 0; i < 16; i++) {
      assertThat((double) models[0][i]).isCloseTo(models[1][i], Offset.offset(1e-4));
      assertThat((double) models[0][i])
          .isCloseTo(i + 0.5 * u[i / 4] * v[i % 4], Offset.offset(1e-4));
    }
  }

  @Test
  void dataTravelsAndStays() {
    Network network = fromZero("data", "samples = 2\nkeep = 3");
    long bytes = network.round((node, model) -> {});
    assertThat(bytes).isEqualTo(2 * (4 + 2 * 3 * 4));
    assertThat(network.bags.get(0).samples).hasSize(5);
    assertThat(network.bags.get(0).samples.get(4)[0]).isEqualTo(1);
    network.round((node, model) -> {});
    assertThat(network.bags.get(0).samples).as("keep = 3").hasSize(6);
    assertModels(network, d(0, 0, 0), d(0, 0, 0));
  }

  @Test
  void noneSendsAndChangesNothing() {
    Network network = fromZero("none", "");
    step(network, FIRST, SECOND);
    assertModels(network, d(4, 1, -2), d(0, 2, 6));
  }
}

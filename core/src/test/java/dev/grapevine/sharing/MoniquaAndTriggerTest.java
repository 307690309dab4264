package dev.grapevine.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.message.Payload;
import dev.grapevine.topology.Topology;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemes that say less than they know: the last digits only, or nothing while little happens. */
final class MoniquaAndTriggerTest {

  private static final int SIZE = 2000;
  private final Topology pair = Network.topology("fully-connected", "", 2, 1);

  /** Two models far from zero whose values differ by less than {@code most}. */
  private static float[][] closeModels(double most, int seed) {
    Random random = new Random(seed);
    float[][] models = new float[2][SIZE];
    for (int i = 0; i < SIZE; i++) {
      models[0][i] = (float) (20 * random.nextGaussian());
      models[1][i] = models[0][i] + (float) (most * (2 * random.nextDouble() - 1));
    }
    return models;
  }

  /** With weights of one half both would be at the mean; each of two values is off by δB. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 16})
  void whatIsReadIsOffByNoMoreThanTheBound(int bits) {
    double theta = 0.5;
    double delta = 1.0 / ((1 << bits) - 1);
    double bound = delta * 2 * theta / (1 - 2 * delta);
    for (int seed = 0; seed < 5; seed++) {
      float[][] models = closeModels(0.999 * theta, seed);
      float[][] before = {models[0].clone(), models[1].clone()};
      Network network =
          Network.of("moniqua", "theta = %s\nbits = %d".formatted(theta, bits), pair, models, 1);
      network.round((node, model) -> {});
      for (int i = 0; i < SIZE; i++) {
        double mean = ((double) before[0][i] + before[1][i]) / 2;
        assertThat((double) network.models[0][i])
            .as("bits %d, seed %d, coordinate %d", bits, seed, i)
            .isCloseTo(mean, Offset.offset(bound + 1e-4));
        assertThat((double) network.models[0][i] + network.models[1][i])
            .isCloseTo(2 * mean, Offset.offset(1e-4));
      }
    }
  }

  @Test
  void equalModelsStayEqualWhateverTheNoise() {
    float[][] models = closeModels(0, 3);
    float[] before = models[0].clone();
    Network network = Network.of("moniqua", "theta = 0.5\nbits = 2", pair, models, 1);
    network.round((node, model) -> {});
    assertThat(network.models[0]).containsExactly(before, Offset.offset(1e-5f));
  }

  /** A value that differs by a whole turn is taken for the node's own. */
  @Test
  void beyondThetaValuesWrapAround() {
    float circle = (float) (2 * 0.5 / (1 - 2.0 / 255));
    float[][] models = {new float[SIZE], new float[SIZE]};
    for (int i = 0; i < SIZE; i++) {
      models[1][i] = circle;
    }
    Network network = Network.of("moniqua", "theta = 0.5", pair, models, 1);
    network.round((node, model) -> {});
    assertThat(network.models[0][0]).isCloseTo(0, Offset.offset(0.01f));
    assertThat(network.models[1][0]).isCloseTo(circle, Offset.offset(0.01f));
  }

  @Test
  void aValueTakesItsBits() {
    Network network = Network.of("moniqua", "bits = 3", pair, closeModels(0.1, 1), 1);
    Payload payload = network.sharings[0].message(0, pair.neighbours(0, 0)).to(1);
    assertThat(payload.size()).isEqualTo(SIZE * 3 / 8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fixed", "changing"})
  void aTriggerThatIsNeverReachedSendsNothing(String neighbours) {
    String settings = "trigger = 1e9\nneighbours = \"%s\"".formatted(neighbours);
    Network network = Network.of("choco", settings, pair, closeModels(1, 1), 1);
    float[] before = network.models[0].clone();
    long bytes = 0;
    for (int round = 0; round < 5; round++) {
      bytes += network.round((node, model) -> {});
    }
    // Among changing neighbours a header remains, and the whole replica when they meet.
    assertThat(bytes).isLessThanOrEqualTo(neighbours.equals("fixed") ? 0 : 20_000);
    assertThat(network.models[0]).isEqualTo(before);
  }

  /** Small moves are saved up until they are worth a message. */
  @ParameterizedTest
  @ValueSource(strings = {"fixed", "changing"})
  void aTriggerSendsWhenTheModelHasMovedFarEnough(String neighbours) {
    String settings =
        "trigger = 2.0\nneighbours = \"%s\"\ncompressor = {kind = \"topk\", alpha = 1.0}"
            .formatted(neighbours);
    Network network = Network.of("choco", settings, pair, new float[2][4], 1);
    int spoken = 0;
    for (int round = 0; round < 12; round++) {
      long bytes = network.round((node, model) -> model[0] += 0.5f);
      spoken += bytes > 2 * (4 * Float.BYTES) ? 1 : 0;
    }
    // √2 is passed every third round.
    assertThat(spoken).isBetween(3, 5);
    assertThat(network.models[0][0]).isCloseTo(6, Offset.offset(1e-5f));
  }
}

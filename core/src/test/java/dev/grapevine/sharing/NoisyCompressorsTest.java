package dev.grapevine.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compressors whose noise is larger than the signal, with as many parameters as a bucket really
 * has: with 12 of them no noise is large.
 */
final class NoisyCompressorsTest {

  private static final int SIZE = 2048;
  private static final int NODES = 8;

  /** Root mean square distance of all models from their first mean, relative to the first one. */
  private static double leftOver(String kind, String settings, int rounds) {
    Topology topology = Network.topology("ring", "", NODES, 3);
    boolean common = kind.equals("dcd") || kind.equals("qsgd") || settings.contains("model");
    float[][] models =
        common
            ? Network.equalModels(NODES, Network.randomModels(1, SIZE, 5)[0])
            : Network.randomModels(NODES, SIZE, 5);
    Network network = Network.of(kind, SchemePropertiesTest.lines(settings), topology, models, 7);
    if (common) {
      float[][] apart = Network.randomModels(NODES, SIZE, 6);
      network.round((node, model) -> System.arraycopy(apart[node], 0, model, 0, SIZE));
    }
    double[] mean = network.mean();
    double before = distance(network, mean);
    for (int round = 0; round < rounds; round++) {
      network.round((node, model) -> {});
    }
    return distance(network, mean) / before;
  }

  private static double distance(Network network, double[] mean) {
    double squares = 0;
    for (float[] model : network.models) {
      for (int i = 0; i < SIZE; i++) {
        squares += (model[i] - mean[i]) * (model[i] - mean[i]);
      }
    }
    return Math.sqrt(squares);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "choco | gamma = 0.1; compressor = {kind = \"qsgd\", bits = 4} | 0.6",
        "choco | gamma = 0.1; compressor = {kind = \"qsgd\", bits = 3} | 0.8",
        "choco | gamma = 0.05; compressor = {kind = \"qsgd\", bits = 2} | 0.95",
        "choco | gamma = 0.1; neighbours = \"changing\"; compressor = {kind = \"qsgd\", bits = 3} | 0.8",
        "choco | gamma = 0.3; compressor = {kind = \"qsgd\", bits = 4, norm = \"max\"} | 0.3",
        "choco | gamma = 0.2; compressor = {kind = \"random\", alpha = 0.3, rescale = true} | 0.6",
        "choco | gamma = 0.4 | 0.5",
        "choco | gamma = 0.4; start = \"model\" | 0.5",
        "deepsqueeze | eta = 0.05; compressor = {kind = \"qsgd\", bits = 4} | 0.9",
        "deepsqueeze | eta = 0.05; compressor = {kind = \"random\", alpha = 0.3, rescale = true} | 0.9",
        "dcd | compressor = {kind = \"qsgd\", bits = 4, norm = \"max\"} | 0.5",
        "dcd | | 0.5",
        "qsgd | bits = 5 | 0.8",
        "qsgd | bits = 4; norm = \"max\" | 0.5",
      })
  void modelsComeTogetherAllTheSame(String kind, String settings, double most) {
    String given = settings == null ? "" : settings;
    assertThat(leftOver(kind, given, 150)).as(given).isLessThan(most);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "qsgd | bits = 4",
        "qsgd | bits = 2; norm = \"max\"",
        "dcd | compressor = {kind = \"qsgd\", bits = 3}",
        "dcd | compressor = {kind = \"random\", alpha = 0.4, rescale = true}",
      })
  void refusedWhereModelsWouldFlyApart(String kind, String settings) {
    assertThatThrownBy(() -> leftOver(kind, settings, 1))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("more noise than there is signal");
  }

  /** Replicas that climb from zero have no room for what nodes differ in. */
  @Test
  void chocoThatStartsAtTheModelSparesTheFirstRounds() {
    Topology topology = Network.topology("ring", "", NODES, 3);
    double[] apart = new double[2];
    for (int i = 0; i < 2; i++) {
      float[] start = Network.randomModels(1, SIZE, 5)[0];
      Network network =
          Network.of(
              "choco",
              i == 0 ? "start = \"zero\"" : "start = \"model\"",
              topology,
              Network.equalModels(NODES, start),
              7);
      float[][] steps = Network.randomModels(NODES, SIZE, 6);
      for (int round = 0; round < 12; round++) {
        float size = round == 0 ? 0.01f : 0;
        network.round((node, model) -> {
          for (int j = 0; j < SIZE; j++) {
            model[j] += size * steps[node][j];
          }
        });
      }
      apart[i] = distance(network, network.mean());
    }
    assertThat(apart[1]).isLessThan(0.5 * apart[0]);
  }
}

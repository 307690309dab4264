package dev.grapevine.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Received;
import dev.grapevine.message.Payload;
import dev.grapevine.topology.Neighbourhood;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Partial sharing in the order of asynchronous protocols, thesis Alg. 13: train, mix, send. One
 * node, whose messages are looked at, and hand-made messages of another; worked out by hand.
 */
final class MixingFirstTest {

  private static final Offset<Float> CLOSE = Offset.offset(1e-5f);
  private static final Neighbourhood PEER =
      new Neighbourhood(0, new int[] {1}, new int[0], new double[0], 1);

  private static Scheme scheme(String kind, String settings, float[] parameters, int node) {
    SharingContext context =
        new SharingContext(
            node,
            2,
            parameters,
            List.of(new ParameterBlock("x", new int[] {parameters.length}, 0)),
            1,
            new Random(node));
    return new Scheme(
        Network.REGISTRY.choose(Encoding.FAMILY, kind, settings).create(context), parameters);
  }

  private static void train(float[] parameters, double... change) {
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] += (float) change[i];
    }
  }

  private static void merge(Scheme sharing, int round, Payload... payloads) {
    double weight = 1.0 / (payloads.length + 1);
    List<Contribution> contributions =
        List.of(payloads).stream().map(payload -> new Contribution(1, weight, payload)).toList();
    sharing.merge(new Received(round, 1 - weight * payloads.length, contributions));
  }

  /**
   * What a message changes at a listener whose parameters are 1000 everywhere and who gives a
   * message all the weight: the coordinates that were sent, with their values.
   */
  private static float[] heard(String kind, String settings, Payload payload, int size) {
    float[] listener = new float[size];
    Arrays.fill(listener, 1000);
    Scheme sharing = scheme(kind, settings, listener, 1);
    sharing.merge(new Received(0, 0, List.of(new Contribution(0, 1, payload))));
    return listener;
  }

  private static final String ONE_OF_THREE = "alpha = 0.34";

  @ParameterizedTest
  @CsvSource({"accumulation", "bounded"})
  void accumulationCountsTrainingAndMixingOnce(String kind) {
    String settings = kind.equals("bounded") ? ONE_OF_THREE + "\nalpha-low = 0" : ONE_OF_THREE;
    float[] x = new float[3];
    Scheme node = scheme(kind, settings, x, 0);

    // V = (4, 3, -2): coordinate 0 goes out, V = (0, 3, -2).
    train(x, 4, 3, -2);
    merge(node, 0);
    Payload first = node.message(0, PEER).to(1);
    assertThat(heard(kind, settings, first, 3)).containsExactly(new float[] {4, 1000, 1000}, CLOSE);

    // Training by (2, 0, -1.5): V = (2, 3, -3.5). Coordinate 2 goes out.
    train(x, 2, 0, -1.5);
    merge(node, 1);
    Payload second = node.message(1, PEER).to(1);
    assertThat(heard(kind, settings, second, 3))
        .containsExactly(new float[] {1000, 1000, -3.5f}, CLOSE);

    // V = (2, 3, 0): coordinate 1.
    merge(node, 2);
    Payload third = node.message(2, PEER).to(1);
    assertThat(heard(kind, settings, third, 3)).containsExactly(new float[] {1000, 3, 1000}, CLOSE);
  }

  /** Mixing moves coordinate 2 most, so that it is sent although training left it alone. */
  @Test
  void mixingCountsLikeTraining() {
    float[] x = new float[3];
    float[] other = {0, 0, 0};
    Scheme node = scheme("accumulation", ONE_OF_THREE, x, 0);
    Scheme peer = scheme("accumulation", ONE_OF_THREE, other, 1);
    train(other, 0, 0, 10);
    Payload model = peer.message(0, PEER).to(0);

    train(x, 1, 0, 0);
    merge(node, 0, model);

    assertThat(x).containsExactly(new float[] {1, 0, 5}, CLOSE);
    assertThat(heard("accumulation", ONE_OF_THREE, node.message(0, PEER).to(1), 3))
        .containsExactly(new float[] {1000, 1000, 5}, CLOSE);
  }

  /** What came between a message and the next training's end must not be mixed with old values. */
  @ParameterizedTest
  @CsvSource({
    "accumulation,alpha = 1.0",
    "jwins++,'alpha = 1.0\nvalues = \"raw\"\nwavelet = \"haar\"'"
  })
  void mixesWithTheModelAsTrainingLeftIt(String kind, String settings) {
    float[] x = new float[4];
    Scheme node = scheme(kind, settings, x, 0);
    train(x, 1, 1, 1, 1);
    merge(node, 0);
    Payload unused = node.message(0, PEER).to(1);
    assertThat(unused.size()).isPositive();
    float[] other = {0, 0, 0, 0};
    Scheme peer = scheme(kind, settings, other, 1);
    train(other, 8, 6, 4, 2);
    Payload model = peer.message(1, PEER).to(0);

    train(x, 1, 1, 1, 1);
    merge(node, 1, model);

    assertThat(x).containsExactly(new float[] {5, 4, 3, 2}, CLOSE);
  }

  /**
   * JWINS++ with one level of Haar, Z = ((a+b)/√2, (c+d)/√2, (a-b)/√2, (c-d)/√2), one coefficient
   * of four a message.
   */
  @Test
  void jwinsPlusPlusFollowsAlgorithm13() {
    String settings =
        "alpha = 0.25\nalpha-low = 0.0\nvalues = \"raw\"\nwavelet = \"haar\"\nlevel = 1";
    float[] x = new float[4];
    Scheme node = scheme("jwins++", settings, x, 0);

    // x = (3, 3, 1, 1): Z = V = (3√2, √2, 0, 0). Sent: Z_0 = 3√2. V = (0, √2, 0, 0).
    train(x, 3, 3, 1, 1);
    merge(node, 0);
    assertSent(node.message(0, PEER).to(1), settings, new float[] {3, 3, 1000, 1000});

    // The peer sends its Z_0 = 5√2, so after training by (0, 0, 0, 2) with Z = (3√2, 2√2, 0, -√2)
    // mixing gives Z_0 = 4√2, V = (√2, 2√2, 0, -√2). Sent: Z_1 = 2√2. V = (√2, 0, 0, -√2).
    float[] other = new float[4];
    Scheme peer = scheme("jwins++", settings, other, 1);
    train(other, 5, 5, 0, 0);
    Payload model = peer.message(1, PEER).to(0);
    train(x, 0, 0, 0, 2);
    merge(node, 1, model);
    assertThat(x).containsExactly(new float[] {4, 4, 1, 3}, CLOSE);
    assertSent(node.message(1, PEER).to(1), settings, new float[] {1000, 1000, 2, 2});

    // Training by (0.25, 0.25, 0, 0): Z_0 = 4.25√2, V_0 = 1.25√2, the largest: mixing of the round
    // before counts, and what was sent at 3√2 counts from there.
    train(x, 0.25, 0.25, 0, 0);
    merge(node, 2);
    assertSent(node.message(2, PEER).to(1), settings, new float[] {4.25f, 4.25f, 1000, 1000});
  }

  private static void assertSent(Payload payload, String settings, float[] expected) {
    float[] listener = {1000, 1000, 1000, 1000};
    Scheme sharing = scheme("jwins++", settings + "\naveraging = \"mixing-weights\"", listener, 1);
    sharing.merge(new Received(0, 0, List.of(new Contribution(0, 1, payload))));
    assertThat(listener).containsExactly(expected, Offset.offset(1e-3f));
  }
}

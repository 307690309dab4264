package dev.grapevine.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.settings.SettingException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TopologyKindsTest {

  private static TopologyContext context(int nodes, long seed) {
    return new TopologyContext(nodes, seed, Path.of("."));
  }

  private static Topology regular(int nodes, int degree, int redrawEvery, long seed) {
    return RandomRegular.create(
        new RandomRegular.Settings(degree, redrawEvery, Weights.METROPOLIS), context(nodes, seed));
  }

  private static int[][] rows(Topology topology, int round) {
    return IntStream.range(0, topology.nodes())
        .mapToObj(node -> topology.neighbours(node, round).sendsTo())
        .toArray(int[][]::new);
  }

  @Test
  void regularGraphsAreExactlyRegular() {
    for (int degree : new int[] {2, 3, 5, 20, 200, 250, 254, 255}) {
      assertThat(List.of(rows(regular(256, degree, 0, degree), 0)))
          .allSatisfy(row -> assertThat(row).hasSize(degree));
    }
  }

  @Test
  void equalSeedsGiveEqualGraphs() {
    assertThat(rows(regular(96, 4, 0, 90), 0)).isDeepEqualTo(rows(regular(96, 4, 0, 90), 0));
    assertThat(Arrays.deepEquals(rows(regular(96, 4, 0, 90), 0), rows(regular(96, 4, 0, 91), 0)))
        .isFalse();
  }

  @Test
  void regularGraphsAreDrawnEvenly() {
    // All 4-node graphs of degree 2 are the three 4-cycles; each is as likely as the others.
    int[] opposite = new int[4];
    for (int seed = 0; seed < 3000; seed++) {
      int[] row = regular(4, 2, 0, seed).neighbours(0, 0).sendsTo();
      opposite[6 - row[0] - row[1]]++;
    }
    assertThat(Arrays.stream(opposite, 1, 4)).allMatch(count -> count > 900 && count < 1100);
  }

  @Test
  void redrawnGraphsChangeEveryKRounds() {
    Topology topology = regular(32, 4, 3, 5);
    assertThat(rows(topology, 0)).isDeepEqualTo(rows(topology, 2));
    assertThat(Arrays.deepEquals(rows(topology, 2), rows(topology, 3))).isFalse();
    assertThat(topology.period()).isZero();
  }

  @Test
  void redrawnGraphsDependOnTheRoundAloneAndNotOnWhoAskedBefore() throws Exception {
    int[][][] expected = new int[60][][];
    for (int round = 0; round < 60; round++) {
      expected[round] = rows(regular(24, 5, 1, 17), round);
    }
    Topology shared = regular(24, 5, 1, 17);
    List<Callable<Void>> askers =
        IntStream.range(0, 8)
            .<Callable<Void>>mapToObj(asker ->
                () -> {
                  for (int i = 0; i < 120; i++) {
                    int round = i * (asker + 7) % 60;
                    assertThat(rows(shared, round)).isDeepEqualTo(expected[round]);
                  }
                  return null;
                })
            .toList();
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (var done : threads.invokeAll(askers)) {
        done.get();
      }
    }
  }

  @Test
  void aDegreeThatDoesNotFitIsRefused() {
    assertThatThrownBy(() -> regular(16, 16, 0, 0))
        .isInstanceOf(SettingException.class)
        .hasMessage("degree must be below the number of nodes: degree=16, nodes=16")
        .extracting("key")
        .isEqualTo("degree");
    assertThatThrownBy(() -> regular(15, 3, 0, 0)).hasMessageContaining("must be even");
    assertThatThrownBy(() -> regular(16, 1, 0, 0)).hasMessageContaining("use at least 2");
    assertThatThrownBy(() ->
            SmallWorld.create(
                new SmallWorld.Settings(4, 0.1, 0, Weights.METROPOLIS), context(4, 0)))
        .isInstanceOf(SettingException.class);
    assertThatThrownBy(
            () -> RandomOut.create(new RandomOut.Settings(3, 1, Weights.UNIFORM), context(3, 0)))
        .isInstanceOf(SettingException.class);
    assertThatThrownBy(() -> Hypercube.create(Weights.METROPOLIS, context(12, 0)))
        .hasMessageContaining("use 8 or 16");
    assertThatThrownBy(() ->
            ErdosRenyi.create(
                new ErdosRenyi.Settings(0.001, 0, Weights.METROPOLIS), context(100, 0)))
        .hasMessageContaining("use at least 0.05");
    assertThatThrownBy(
            () -> Torus.create(new Torus.Settings(5, Weights.METROPOLIS), context(12, 0)))
        .hasMessageContaining("rows must divide");
  }

  @Test
  void metropolisHastingsRefusesEdgesThatRunOneWay() {
    assertThatThrownBy(() ->
            DirectedRing.create(
                new OneWayWeights(Weights.METROPOLIS.weights(), false), context(4, 0)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("uniform");
  }

  @Test
  void onePeerExponentialAveragesExactlyInOneCycle() {
    Topology topology = OnePeerExponential.create(Weights.UNIFORM, context(64, 0));
    assertThat(topology.period()).isEqualTo(6);
    TopologyFacts facts = TopologyFacts.of(topology, 0);
    assertThat(facts.maximumDegree()).isEqualTo(1);
    assertThat(facts.gapOfPeriod().value()).isGreaterThan(1 - 1e-7);
  }

  @Test
  void randomOutSendsToExactlySoManyOthers() {
    Topology topology =
        RandomOut.create(new RandomOut.Settings(5, 1, Weights.UNIFORM), context(40, 3));
    for (int round = 0; round < 5; round++) {
      assertThat(List.of(rows(topology, round))).allSatisfy(row -> assertThat(row).hasSize(5));
      for (int node = 0; node < 40; node++) {
        Neighbourhood around = topology.neighbours(node, round);
        assertThat(around.selfWeight() + Arrays.stream(around.weights()).sum())
            .isCloseTo(1, within(1e-12));
      }
    }
  }

  @Test
  void selfWeightKeepsItsShare() {
    Topology ring = Ring.create(Weights.self(0.8), context(6, 0));
    assertThat(ring.neighbours(2, 0).selfWeight()).isCloseTo(0.8, within(1e-15));
    Topology alone = Ring.create(Weights.self(0.8), context(1, 0));
    assertThat(alone.neighbours(0, 0).selfWeight()).isEqualTo(1);
  }

  @Test
  void erdosRenyiHasTheExpectedNumberOfEdges() {
    long edges = 0;
    for (int seed = 0; seed < 20; seed++) {
      edges +=
          Graph.of(
                  ErdosRenyi.create(
                      new ErdosRenyi.Settings(0.1, 0, Weights.METROPOLIS), context(200, seed)),
                  0)
              .edges();
    }
    // 20 · 0.1 · 19900 = 39800, standard deviation 189.
    assertThat(edges).isBetween(39000L, 40600L);
  }
}

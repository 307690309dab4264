package dev.grapevine.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold for every topology, over sizes and seeds. */
final class TopologyPropertyTest {

  record Sample(String name, Topology topology) {
    @Override
    public String toString() {
      return name + " of " + topology.nodes();
    }
  }

  static Stream<Sample> all() {
    return Stream.concat(undirected(), directed());
  }

  static Stream<Sample> undirected() {
    List<Sample> samples = new ArrayList<>();
    for (int nodes : new int[] {1, 2, 3, 4, 5, 7, 8, 16, 33, 96}) {
      TopologyContext context = new TopologyContext(nodes, 90 + nodes, Path.of("."));
      var weights = Weights.METROPOLIS;
      samples.add(new Sample("ring", Ring.create(weights, context)));
      samples.add(new Sample("fully-connected", FullyConnected.create(weights, context)));
      samples.add(new Sample("star", Star.create(weights, context)));
      samples.add(new Sample("tree", Tree.create(new Tree.Settings(3, weights), context)));
      samples.add(
          new Sample("bipartite", Bipartite.create(new Bipartite.Settings(0, weights), context)));
      samples.add(new Sample("grid", Grid.create(new Grid.Settings(0, weights), context)));
      samples.add(new Sample("torus", Torus.create(new Torus.Settings(0, weights), context)));
      samples.add(new Sample("exponential", Exponential.create(weights, context)));
      if (Integer.bitCount(nodes) == 1) {
        samples.add(new Sample("hypercube", Hypercube.create(weights, context)));
      }
      for (int degree = nodes == 2 ? 1 : 2;
          degree < Math.min(nodes, 40);
          degree += 1 + degree / 6) {
        if (nodes * degree % 2 == 0) {
          samples.add(regular(degree, 0, context));
        }
      }
      if (nodes > 4) {
        samples.add(regular(4, 1, context));
        for (double rewire : new double[] {0, 0.2, 1}) {
          samples.add(
              new Sample(
                  "small-world " + rewire,
                  SmallWorld.create(new SmallWorld.Settings(4, rewire, 3, weights), context)));
        }
      }
      samples.add(
          new Sample(
              "erdos-renyi", ErdosRenyi.create(new ErdosRenyi.Settings(0.3, 0, weights), context)));
    }
    return samples.stream();
  }

  private static Sample regular(int degree, int redrawEvery, TopologyContext context) {
    return new Sample(
        "regular " + degree + " every " + redrawEvery,
        RandomRegular.create(
            new RandomRegular.Settings(degree, redrawEvery, Weights.METROPOLIS), context));
  }

  static Stream<Sample> directed() {
    List<Sample> samples = new ArrayList<>();
    for (int nodes : new int[] {1, 2, 3, 5, 8, 16, 33, 64}) {
      TopologyContext context = new TopologyContext(nodes, 7, Path.of("."));
      var weights = Weights.UNIFORM;
      samples.add(new Sample("directed-ring", DirectedRing.create(weights, context)));
      samples.add(new Sample("directed-exponential", DirectedExponential.create(weights, context)));
      samples.add(new Sample("one-peer-exponential", OnePeerExponential.create(weights, context)));
    }
    return samples.stream();
  }

  @ParameterizedTest
  @MethodSource("all")
  void whoSendsIsHeard(Sample sample) {
    Topology topology = sample.topology();
    for (int round : new int[] {0, 1, 5}) {
      boolean[][] sent = new boolean[topology.nodes()][topology.nodes()];
      boolean[][] heard = new boolean[topology.nodes()][topology.nodes()];
      for (int node = 0; node < topology.nodes(); node++) {
        Neighbourhood around = topology.neighbours(node, round);
        assertThat(around.node()).isEqualTo(node);
        assertThat(around.sendsTo()).doesNotContain(node).isSorted().doesNotHaveDuplicates();
        assertThat(around.hearsFrom()).doesNotContain(node).isSorted().doesNotHaveDuplicates();
        assertThat(around.weights()).hasSameSizeAs(around.hearsFrom());
        for (int peer : around.sendsTo()) {
          sent[node][peer] = true;
        }
        for (int peer : around.hearsFrom()) {
          heard[peer][node] = true;
        }
      }
      assertThat(sent).isDeepEqualTo(heard);
    }
  }

  @ParameterizedTest
  @MethodSource("undirected")
  void undirectedOnesAreSymmetricAndConnected(Sample sample) {
    for (int round : new int[] {0, 1, 5}) {
      Graph graph = Graph.of(sample.topology(), round);
      assertThat(graph.isDirected()).isFalse();
      assertThat(graph.isConnected()).isTrue();
      for (int node = 0; node < graph.nodes(); node++) {
        Neighbourhood around = sample.topology().neighbours(node, round);
        for (int i = 0; i < around.degree(); i++) {
          Neighbourhood back = sample.topology().neighbours(around.sendsTo()[i], round);
          int index = Arrays.binarySearch(back.sendsTo(), node);
          assertThat(index).isNotNegative();
          assertThat(back.weights()[index]).isEqualTo(around.weights()[i]);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void weightsAreDoublyStochasticSoMixingKeepsTheMean(Sample sample) {
    for (int round : new int[] {0, 5}) {
      assertThat(TopologyFacts.of(sample.topology(), round).doublyStochastic()).isTrue();
      double[] models = someModels(sample.topology().nodes());
      double[] mixed = new MixingMatrix(sample.topology(), round, 1).times(models);
      assertThat(mean(mixed)).isCloseTo(mean(models), within(1e-12));
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void repeatedMixingReachesConsensusAtTheRateOfTheGap(Sample sample) {
    Topology topology = sample.topology();
    int period = Math.max(1, topology.period());
    double factor = 1 - SpectralGap.of(topology, 0, period).value();
    double[] models = someModels(topology.nodes());
    double mean = mean(models);
    double before = distance(models, mean);
    for (int round = 0; round < 40 * period; round += period) {
      models = new MixingMatrix(topology, round, period).times(models);
      double after = distance(models, mean);
      if (topology.period() > 0) {
        assertThat(after).isLessThanOrEqualTo(before * factor + 1e-10);
      }
      before = after;
    }
    assertThat(before).isLessThan(0.9 * Math.max(1, distance(someModels(topology.nodes()), mean)));
    assertThat(factor).isLessThan(1);
  }

  @ParameterizedTest
  @MethodSource("all")
  void staticOnesMakeNothingNewWhenAsked(Sample sample) {
    int period = sample.topology().period();
    for (int node = 0; node < sample.topology().nodes(); node++) {
      Neighbourhood first = sample.topology().neighbours(node, 0);
      assertThat(sample.topology().neighbours(node, Math.max(period, 0))).isNotNull();
      if (period > 0) {
        assertThat(sample.topology().neighbours(node, 3 * period)).isSameAs(first);
      }
    }
  }

  private static double[] someModels(int nodes) {
    var random = RandomGraph.random(11, nodes);
    double[] models = new double[nodes];
    Arrays.setAll(models, i -> random.nextDouble() + i);
    return models;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double distance(double[] values, double mean) {
    return Math.sqrt(Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum());
  }
}

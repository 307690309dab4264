package dev.grapevine.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Diameter and spectral gap as networkx and numpy find them; see graphs.py. */
final class GraphFixtureTest {

  static Stream<String> lines() throws IOException {
    try (var in =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(GraphFixtureTest.class.getResourceAsStream("graphs.txt")),
                StandardCharsets.UTF_8))) {
      return in.lines().toList().stream();
    }
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("lines")
  void factsMatchTheFixture(String line) {
    String[] fields = line.split(" ");
    boolean directed = Boolean.parseBoolean(fields[1]);
    int nodes = Integer.parseInt(fields[2]);
    Graph.Builder builder = directed ? Graph.directed(nodes) : Graph.undirected(nodes);
    for (int i = 6; i < fields.length; i++) {
      String[] ends = fields[i].split("-");
      builder.add(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]));
    }
    Graph graph = builder.build();
    assertThat(graph.edges()).as(fields[0]).isEqualTo(fields.length - 6);
    assertThat(graph.isConnected()).isTrue();
    assertThat(graph.diameter()).as(fields[0]).isEqualTo(Integer.parseInt(fields[3]));
    if (!directed) {
      assertGap(fields[0], graph, new MetropolisHastings(), fields[4]);
    }
    assertGap(fields[0], graph, new UniformWeights(), fields[5]);
  }

  private static void assertGap(String name, Graph graph, WeightRule rule, String expected) {
    SpectralGap gap = SpectralGap.of(new StaticTopology(graph, rule), 0, 1);
    assertThat(gap.exact()).as(name).isTrue();
    assertThat(gap.value())
        .as(name)
        .isCloseTo(Math.max(0, Double.parseDouble(expected)), within(1e-9));
  }
}

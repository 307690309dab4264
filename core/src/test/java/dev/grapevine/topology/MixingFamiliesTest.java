package dev.grapevine.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.UserException;
import dev.grapevine.settings.Registry;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Known answers of the mixing matrices of base-k, matcha, trees and lazy weights. */
final class MixingFamiliesTest {

  private static final Registry REGISTRY = Registry.load();

  private static Topology topology(String kind, String settings, int nodes) {
    return REGISTRY
        .choose(Topology.FAMILY, kind, settings)
        .create(new TopologyContext(nodes, 90, Path.of("")));
  }

  private static double smallest(String kind, String settings, int nodes) {
    return SmallestEigenvalue.of(topology(kind, settings, nodes), 0).orElseThrow().value();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 8})
  void baseKAveragesExactlyOverOneCycleWhateverTheNumberOfNodes(int peers) {
    for (int nodes = 1; nodes <= 60; nodes++) {
      Topology topology = topology("base-k", "peers = " + peers, nodes);
      int period = topology.period();
      for (int node = 0; node < nodes; node++) {
        double[] unit = new double[nodes];
        unit[node] = 1;
        double[] mixed = new MixingMatrix(topology, 0, period).times(unit);
        for (double entry : mixed) {
          assertThat(entry)
              .as("%d nodes, node %d", nodes, node)
              .isCloseTo(1.0 / nodes, within(1e-12));
        }
      }
      for (int round = 0; round < period; round++) {
        TopologyFacts facts = TopologyFacts.of(topology, round);
        assertThat(facts.doublyStochastic()).isTrue();
        assertThat(facts.maximumDegree()).as("%d nodes", nodes).isLessThanOrEqualTo(peers);
        assertThat(facts.directed()).isFalse();
      }
    }
  }

  /** The paper's examples: a power of two is the hypercube's cycle, 5 nodes need 5 rounds. */
  @ParameterizedTest
  @CsvSource({"1, 16, 4", "1, 5, 5", "1, 6, 4", "2, 5, 3", "2, 9, 2", "2, 18, 3", "4, 25, 2"})
  void baseKHasTheCyclesOfThePaper(int peers, int nodes, int rounds) {
    assertThat(topology("base-k", "peers = " + peers, nodes).period()).isEqualTo(rounds);
  }

  @ParameterizedTest
  @CsvSource({"regular, degree=4, 16", "ring, '', 9", "star, '', 7", "fully-connected, '', 6"})
  void edgesSplitIntoAtMostOneMatchingMoreThanTheLargestDegree(
      String kind, String settings, int nodes) {
    Topology topology = topology(kind, settings, nodes);
    Graph graph = Graph.of(topology, 0);
    List<Graph> matchings = EdgeColouring.matchings(graph);
    int largest = TopologyFacts.of(topology, 0).maximumDegree();
    assertThat(matchings).hasSizeBetween(largest, largest + 1);
    assertThat(matchings.stream().mapToLong(Graph::edges).sum()).isEqualTo(graph.edges());
    for (Graph matching : matchings) {
      for (int node = 0; node < nodes; node++) {
        assertThat(matching.targets(node).length).isLessThanOrEqualTo(1);
        for (int peer : matching.targets(node)) {
          assertThat(graph.targets(node)).contains(peer);
        }
      }
    }
  }

  @Test
  void randomGraphsAreColouredWithOneMatchingMoreThanTheLargestDegreeAtMost() {
    for (int seed = 0; seed < 60; seed++) {
      Topology topology =
          ErdosRenyi.create(
              new ErdosRenyi.Settings(0.3, 0, Weights.METROPOLIS),
              new TopologyContext(24, seed, Path.of("")));
      List<Graph> matchings = EdgeColouring.matchings(Graph.of(topology, 0));
      assertThat(matchings.size())
          .isLessThanOrEqualTo(TopologyFacts.of(topology, 0).maximumDegree() + 1);
      assertThat(matchings.stream().mapToLong(Graph::edges).sum())
          .isEqualTo(Graph.of(topology, 0).edges());
    }
  }

  /** With all matchings on, α = 2/(λ₂ + λₙ) of the Laplacian: 1/(1 + log₂ n) on a hypercube. */
  @Test
  void matchaWithTheWholeBudgetHasTheBestConstantWeight() {
    Topology cube = topology("matcha", "graph = \"hypercube\"\nbudget = 1.0", 16);
    assertThat(cube.period()).isEqualTo(1);
    assertThat(cube.neighbours(3, 0).weights()[0]).isCloseTo(0.2, within(1e-6));
    Topology ring = topology("matcha", "graph = \"ring\"\nbudget = 1.0", 12);
    double second = 2 - 2 * Math.cos(2 * Math.PI / 12);
    assertThat(ring.neighbours(0, 5).weights()[0]).isCloseTo(2 / (second + 4), within(1e-6));
  }

  @Test
  void matchaSpendsItsBudgetAndKeepsTheMean() {
    Topology topology =
        topology("matcha", "graph = {kind=\"regular\", degree=4}\nbudget = 0.4", 16);
    assertThat(topology.period()).isZero();
    long edges = 0;
    for (int round = 0; round < 2000; round++) {
      edges += Graph.of(topology, round).edges();
      if (round < 50) {
        assertThat(TopologyFacts.of(topology, round).doublyStochastic()).isTrue();
      }
    }
    // Matchings are not all as large, so the share of edges is only about the budget.
    assertThat(edges / 2000.0 / 32).isBetween(0.3, 0.5);
  }

  /** Two triangles joined by one edge: the bridge holds them together. */
  @Test
  void matchaUsesEdgesMoreOftenThatHoldTheGraphTogether() {
    int[][] edges = {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {2, 3}};
    Graph.Builder builder = Graph.undirected(6);
    for (int[] edge : edges) {
      builder.add(edge[0], edge[1]);
    }
    List<Graph> matchings = EdgeColouring.matchings(builder.build());
    MatchingChances chances = MatchingChances.of(matchings, 0.5);
    double total = 0;
    for (int j = 0; j < matchings.size(); j++) {
      total += chances.chance(j);
      boolean bridge = Arrays.stream(matchings.get(j).targets(2)).anyMatch(peer -> peer == 3);
      if (bridge) {
        assertThat(chances.chance(j)).isGreaterThan(0.6);
      }
    }
    assertThat(total).isCloseTo(0.5 * matchings.size(), within(1e-6));
  }

  @Test
  void matchaRefusesGraphsThatChangeOrRunOneWay() {
    assertThatThrownBy(() -> topology("matcha", "graph = \"directed-ring\"", 8))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("run both ways");
    assertThatThrownBy(() -> topology("matcha", "graph = \"base-k\"", 8))
        .hasMessageContaining("does not change");
    assertThatThrownBy(() -> topology("matcha", "budget = 0.0", 8)).hasMessageContaining("(0, 1]");
  }

  @Test
  void aChainIsATreeOfTheLargestDiameter() {
    TopologyFacts facts = TopologyFacts.of(topology("chain", "", 9), 0);
    assertThat(facts.edges()).isEqualTo(8);
    assertThat(facts.diameter()).isEqualTo(8);
    assertThat(facts.doublyStochastic()).isTrue();
    // Inner weights 1/3, ends 2/3: W = I − L/3, and L of a path has 2 − 2 cos(πk/n).
    assertThat(facts.gap().value()).isCloseTo((2 - 2 * Math.cos(Math.PI / 9)) / 3, within(1e-10));
  }

  @Test
  void aDoubleBinaryTreeIsTwoShallowTreesWhoseInnerNodesDiffer() {
    for (int nodes = 2; nodes <= 70; nodes++) {
      List<Graph> trees = DoubleBinaryTree.trees(nodes);
      int depth = 32 - Integer.numberOfLeadingZeros(nodes - 1);
      int innerInBoth = 0;
      for (Graph tree : trees) {
        assertThat(tree.edges()).isEqualTo(nodes - 1);
        assertThat(tree.isConnected()).isTrue();
        assertThat(tree.diameter()).isLessThanOrEqualTo(2 * depth);
      }
      for (int node = 0; node < nodes; node++) {
        int first = trees.get(0).targets(node).length;
        int second = trees.get(1).targets(node).length;
        assertThat(first + second).isLessThanOrEqualTo(4);
        innerInBoth += first > 1 && second > 1 ? 1 : 0;
      }
      assertThat(innerInBoth).as("%d nodes", nodes).isLessThanOrEqualTo(nodes % 2);
      assertThat(TopologyFacts.of(topology("double-binary-tree", "", nodes), 0).doublyStochastic())
          .isTrue();
    }
  }

  @Test
  void theSmallestEigenvalueIsKnownOnRingsAndHypercubes() {
    assertThat(smallest("ring", "", 8)).isCloseTo(-1.0 / 3, within(1e-10));
    assertThat(smallest("ring", "", 5))
        .isCloseTo((1 + 2 * Math.cos(4 * Math.PI / 5)) / 3, within(1e-10));
    assertThat(smallest("hypercube", "", 16)).isCloseTo(-0.6, within(1e-10));
    assertThat(smallest("fully-connected", "", 7)).isCloseTo(0, within(1e-10));
    assertThat(smallest("regular", "degree = 4", 64)).isBetween(-0.55, -0.35);
    assertThat(smallest("ring", "", 1)).isEqualTo(1);
    assertThat(SmallestEigenvalue.of(topology("directed-ring", "", 8), 0)).isEmpty();
    assertThat(SmallestEigenvalue.of(topology("star", "weights = \"uniform\"", 8), 0)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "ring, ''",
    "regular, degree=3",
    "hypercube, ''",
    "chain, ''",
    "regular, redraw-every=1"
  })
  void lazyWeightsMixHalfAsMuch(String kind, String settings) {
    Topology busy = topology(kind, settings, 16);
    Topology lazy = topology(kind, settings + "\nlazy = true", 16);
    for (int round = 0; round < 3; round++) {
      for (int node = 0; node < 16; node++) {
        Neighbourhood once = busy.neighbours(node, round);
        Neighbourhood half = lazy.neighbours(node, round);
        assertThat(half.hearsFrom()).isEqualTo(once.hearsFrom());
        assertThat(half.selfWeight()).isCloseTo((1 + once.selfWeight()) / 2, within(1e-12));
      }
    }
    assertThat(smallest(kind, settings + "\nlazy = true", 16))
        .isCloseTo((1 + smallest(kind, settings, 16)) / 2, within(1e-10));
    assertThat(TopologyFacts.of(lazy, 0).doublyStochastic()).isTrue();
  }
}

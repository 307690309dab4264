package dev.grapevine.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExposureTest {

  private static Topology over(Graph graph) {
    return new StaticTopology(graph, new UniformWeights());
  }

  private static Graph edges(int nodes, int[]... edges) {
    Graph.Builder graph = Graph.undirected(nodes);
    for (int[] edge : edges) {
      graph.add(edge[0], edge[1]);
    }
    return graph.build();
  }

  @Test
  void whoHearsFromOneAloneKnowsItsModel() {
    // A path: 0 hears from 1 only, 3 from 2 only.
    Topology path = over(edges(4, new int[] {0, 1}, new int[] {1, 2}, new int[] {2, 3}));
    assertThat(new Exposure(path, 0).to(1))
        .containsExactly(new Exposure.Exposed(1, List.of(0)), new Exposure.Exposed(2, List.of(3)));
  }

  @Test
  void twoWhoseSendersDifferInOneKnowThatOne() {
    // Nodes 0 and 1 both hear from 2 and 3, and 1 from 4 besides.
    Topology graph =
        over(
            edges(
                8,
                new int[] {0, 2},
                new int[] {0, 3},
                new int[] {1, 2},
                new int[] {1, 3},
                new int[] {1, 4},
                new int[] {2, 5},
                new int[] {2, 6},
                new int[] {3, 6},
                new int[] {3, 7},
                new int[] {4, 5},
                new int[] {4, 7}));
    Exposure exposure = new Exposure(graph, 0);
    assertThat(exposure.to(1)).isEmpty();
    assertThat(exposure.to(2)).contains(new Exposure.Exposed(4, List.of(0, 1)));
  }

  @Test
  void onACompleteGraphTwoSeeOneSumTwice() {
    Topology complete = over(complete(6));
    assertThat(new Exposure(complete, 0).to(2)).isEmpty();
    // All but one together know that one.
    assertThat(new Exposure(complete, 0).to(5)).hasSize(6);
  }

  private static Graph complete(int nodes) {
    Graph.Builder graph = Graph.undirected(nodes);
    for (int i = 0; i < nodes; i++) {
      for (int j = 0; j < i; j++) {
        graph.add(i, j);
      }
    }
    return graph.build();
  }

  @Test
  void coalitionsAreCounted() {
    assertThat(Exposure.coalitions(48, 2)).isEqualTo(48 * 47 / 2);
    assertThat(Exposure.coalitions(1000, 9)).isGreaterThan(Exposure.MOST_COALITIONS);
  }
}

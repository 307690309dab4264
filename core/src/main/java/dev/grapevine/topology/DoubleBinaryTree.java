package dev.grapevine.topology;

import dev.grapevine.settings.Kind;
import java.util.List;

/**
 * Two binary trees over the same nodes, laid so that the inner nodes of one are leaves of the other
 * (for an odd number of nodes, all but one of them): the union of their edges. A node has at most
 * four neighbours, n − 1 to 2(n − 1) edges in all, and both trees have a depth of at most ⌈log₂ n⌉.
 *
 * <p>The first tree has node 0 on top and numbers the others in order: node i with lowest binary
 * digit b hangs below the number that is next to it at the level of 2b. The second is the first
 * with all nodes mirrored, i → n − 1 − i, or moved on by one where n is odd.
 *
 * <p>P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for full bandwidth broadcast,
 * reduction and scan", Parallel Computing 35(12), 2009.
 */
@Kind(
    name = "double-binary-tree",
    summary = "Two binary trees in one: who is inside one is a leaf of the other.",
    paper = "Sanders, Speck, Traeff 2009, Two-tree algorithms for full bandwidth broadcast")
public final class DoubleBinaryTree {

  private DoubleBinaryTree() {}

  public static Topology create(MixingWeights mixing, TopologyContext context) {
    int nodes = context.nodes();
    Graph.Builder union = Graph.undirected(nodes);
    for (Graph tree : trees(nodes)) {
      for (int node = 0; node < nodes; node++) {
        for (int peer : tree.targets(node)) {
          union.add(node, peer);
        }
      }
    }
    return mixing.over(union.build(), context);
  }

  /** The two trees, for protocols that send one half of a model along each. */
  public static List<Graph> trees(int nodes) {
    Graph.Builder first = Graph.undirected(nodes);
    Graph.Builder second = Graph.undirected(nodes);
    for (int node = 1; node < nodes; node++) {
      int parent = parent(node, nodes);
      first.add(node, parent);
      second.add(moved(node, nodes), moved(parent, nodes));
    }
    return List.of(first.build(), second.build());
  }

  private static int parent(int node, int nodes) {
    int digit = Integer.lowestOneBit(node);
    long above = (node - digit) | 2L * digit;
    // Beyond the last node there is none: then it is the one at the other side.
    return above < nodes ? (int) above : node - digit;
  }

  private static int moved(int node, int nodes) {
    return nodes % 2 == 0 ? nodes - 1 - node : (node + 1) % nodes;
  }
}

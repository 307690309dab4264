package dev.grapevine.cluster;

import dev.grapevine.UserException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/** Which worker has which nodes. */
public final class Placement {

  private final int[] workerOf;
  private final int workers;

  private Placement(int[] workerOf, int workers) {
    this.workerOf = workerOf;
    this.workers = workers;
  }

  /**
   * Nodes in contiguous blocks of as equal size as can be; servers at worker 0.
   *
   * @param learners how many nodes hold data
   * @param nodes how many there are with servers
   */
  public static Placement blocks(int learners, int nodes, int workers) {
    if (workers < 1 || workers > learners) {
      throw new UserException(
          "there must be from 1 to %d workers, since every worker needs a node: workers=%d"
              .formatted(learners, workers));
    }
    int[] workerOf = new int[nodes];
    for (int node = 0; node < learners; node++) {
      workerOf[node] = (int) ((long) node * workers / learners);
    }
    return new Placement(workerOf, workers);
  }

  /**
   * Nodes as a list says.
   *
   * @param nodesOf the nodes of each worker; all nodes that hold data, each once
   */
  public static Placement of(int learners, int nodes, List<int[]> nodesOf) {
    int[] workerOf = new int[nodes];
    Arrays.fill(workerOf, 0, learners, -1);
    for (int worker = 0; worker < nodesOf.size(); worker++) {
      for (int node : nodesOf.get(worker)) {
        if (node < 0 || node >= learners || workerOf[node] >= 0) {
          throw new UserException(
              node >= 0 && node < learners
                  ? "node %d is given to workers %d and %d; give it to one"
                      .formatted(node, workerOf[node], worker)
                  : "there is no node %d: nodes are numbered from 0 to %d"
                      .formatted(node, learners - 1));
        }
        workerOf[node] = worker;
      }
    }
    for (int node = 0; node < learners; node++) {
      if (workerOf[node] < 0) {
        throw new UserException("node %d is given to no worker".formatted(node));
      }
    }
    return new Placement(workerOf, nodesOf.size());
  }

  public int workers() {
    return workers;
  }

  /** The worker of each node. */
  public int[] workerOf() {
    return workerOf.clone();
  }

  public int workerOf(int node) {
    return workerOf[node];
  }

  /** The nodes of a worker, in rising order. */
  public int[] nodesOf(int worker) {
    return IntStream.range(0, workerOf.length).filter(node -> workerOf[node] == worker).toArray();
  }

  /** The nodes of a worker in words, such as {@code nodes 0-3, 16}. */
  public String text(int worker) {
    int[] nodes = nodesOf(worker);
    return (nodes.length == 1 ? "node " : "nodes ") + ranges(nodes);
  }

  /** Such as {@code 0-3, 16}. */
  public static String ranges(int[] nodes) {
    StringJoiner text = new StringJoiner(", ");
    List<Integer> block = new ArrayList<>();
    for (int i = 0; i < nodes.length; i++) {
      block.add(nodes[i]);
      if (i + 1 == nodes.length || nodes[i + 1] != nodes[i] + 1) {
        text.add(block.size() == 1 ? "" + nodes[i] : block.getFirst() + "-" + block.getLast());
        block.clear();
      }
    }
    return text.toString();
  }
}

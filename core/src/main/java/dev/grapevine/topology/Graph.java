package dev.grapevine.topology;

import java.util.Arrays;

/**
 * A graph that never changes: for every node whom it sends to and whom it hears from, in rising
 * order. There are no loops and no repeated edges. The arrays it hands out are its own; they are
 * not to be changed.
 */
public final class Graph {

  private final int[][] targets;
  private final int[][] sources;
  private final boolean directed;

  private Graph(int[][] targets, int[][] sources, boolean directed) {
    this.targets = targets;
    this.sources = sources;
    this.directed = directed;
  }

  /** Starts a graph whose edges run both ways. */
  public static Builder undirected(int nodes) {
    return new Builder(nodes, false);
  }

  /** Starts a graph whose edges run from the sender to the receiver. */
  public static Builder directed(int nodes) {
    return new Builder(nodes, true);
  }

  /** The graph of one round of a topology; undirected when every edge runs both ways. */
  public static Graph of(Topology topology, int round) {
    int nodes = topology.nodes();
    int[][] targets = new int[nodes][];
    int[][] sources = new int[nodes][];
    for (int node = 0; node < nodes; node++) {
      Neighbourhood neighbourhood = topology.neighbours(node, round);
      targets[node] = neighbourhood.sendsTo();
      sources[node] = neighbourhood.hearsFrom();
    }
    return new Graph(targets, sources, !Arrays.deepEquals(targets, sources));
  }

  public int nodes() {
    return targets.length;
  }

  /** Whether an edge from x to y may be without its way back. */
  public boolean isDirected() {
    return directed;
  }

  /** Whom the node sends to, in rising order. */
  public int[] targets(int node) {
    return targets[node];
  }

  /** Whom the node hears from, in rising order. */
  public int[] sources(int node) {
    return sources[node];
  }

  /** Number of edges; an undirected edge counts once. */
  public long edges() {
    long arcs = 0;
    for (int[] row : targets) {
      arcs += row.length;
    }
    return isDirected() ? arcs : arcs / 2;
  }

  /** Whether every node can reach every other along the edges. */
  public boolean isConnected() {
    return reachesAll(targets) && (!isDirected() || reachesAll(sources));
  }

  private static boolean reachesAll(int[][] links) {
    int[] distances = new int[links.length];
    return BreadthFirst.from(0, links, distances, new int[links.length]) >= 0;
  }

  /**
   * The longest shortest path, counted in edges, or -1 when some node cannot be reached from some
   * other. One breadth-first search a node: O(nodes · edges).
   */
  public int diameter() {
    int[] distances = new int[nodes()];
    int[] queue = new int[nodes()];
    int diameter = 0;
    for (int node = 0; node < nodes(); node++) {
      int farthest = BreadthFirst.from(node, targets, distances, queue);
      if (farthest < 0) {
        return -1;
      }
      diameter = Math.max(diameter, farthest);
    }
    return diameter;
  }

  /** The undirected graph of all the edges that this undirected one lacks. */
  Graph complement() {
    Builder others = undirected(nodes());
    for (int node = 0; node < nodes(); node++) {
      int next = 0;
      for (int peer = node + 1; peer < nodes(); peer++) {
        while (next < targets[node].length && targets[node][next] < peer) {
          next++;
        }
        if (next == targets[node].length || targets[node][next] != peer) {
          others.add(node, peer);
        }
      }
    }
    return others.build();
  }

  /** Collects edges in any order; loops and repetitions are left out. */
  public static final class Builder {

    private final int nodes;
    private final boolean directed;
    private long[] arcs = new long[64];
    private int count;

    private Builder(int nodes, boolean directed) {
      if (nodes < 1) {
        throw new IllegalArgumentException("a graph has at least one node: nodes=" + nodes);
      }
      this.nodes = nodes;
      this.directed = directed;
    }

    public Builder add(int from, int to) {
      if (from < 0 || from >= nodes || to < 0 || to >= nodes) {
        throw new IllegalArgumentException(
            "edge outside the graph: from=" + from + ", to=" + to + ", nodes=" + nodes);
      }
      if (from != to) {
        append(from, to);
        if (!directed) {
          append(to, from);
        }
      }
      return this;
    }

    private void append(int from, int to) {
      if (count == arcs.length) {
        arcs = Arrays.copyOf(arcs, 2 * count);
      }
      arcs[count++] = (long) from << 32 | to;
    }

    public Graph build() {
      int[][] targets = rows();
      if (!directed) {
        return new Graph(targets, targets, false);
      }
      for (int i = 0; i < count; i++) {
        arcs[i] = arcs[i] << 32 | arcs[i] >>> 32;
      }
      return new Graph(targets, rows(), true);
    }

    private int[][] rows() {
      Arrays.sort(arcs, 0, count);
      int[] row = new int[nodes];
      int[][] rows = new int[nodes][];
      int next = 0;
      for (int node = 0; node < nodes; node++) {
        int length = 0;
        for (; next < count && arcs[next] >>> 32 == node; next++) {
          int peer = (int) arcs[next];
          if (length == 0 || row[length - 1] != peer) {
            row[length++] = peer;
          }
        }
        rows[node] = Arrays.copyOf(row, length);
      }
      return rows;
    }
  }
}

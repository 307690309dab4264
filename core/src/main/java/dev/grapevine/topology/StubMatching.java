package dev.grapevine.topology;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Steger and Wormald's pairing: every node starts with d loose ends; ends are paired at random, and
 * pairs that would make a loop or a second edge are put back, until none is left or none fits.
 */
final class StubMatching {

  private final int nodes;
  private final int degree;
  private final RandomGenerator random;
  private final int[] ends;
  private final int[] peers;
  private final int[] found;

  StubMatching(int nodes, int degree, RandomGenerator random) {
    this.nodes = nodes;
    this.degree = degree;
    this.random = random;
    this.ends = new int[nodes * degree];
    this.peers = new int[nodes * degree];
    this.found = new int[nodes];
  }

  Graph draw() {
    while (!matchAll()) {
      // The ends left over did not fit together: begin again.
    }
    Graph.Builder graph = Graph.undirected(nodes);
    for (int node = 0; node < nodes; node++) {
      for (int i = 0; i < degree; i++) {
        graph.add(node, peers[node * degree + i]);
      }
    }
    return graph.build();
  }

  private boolean matchAll() {
    Arrays.fill(found, 0);
    for (int i = 0; i < ends.length; i++) {
      ends[i] = i / Math.max(1, degree);
    }
    int loose = ends.length;
    while (loose > 0) {
      int left = matchOnce(loose);
      if (left == loose && !someFit(loose)) {
        return false;
      }
      loose = left;
    }
    return true;
  }

  /** Pairs the first {@code loose} ends at random and returns how many had to be put back. */
  private int matchOnce(int loose) {
    shuffle(ends, loose, random);
    int left = 0;
    for (int i = 0; i < loose; i += 2) {
      int a = ends[i];
      int b = ends[i + 1];
      if (fit(a, b)) {
        peers[a * degree + found[a]++] = b;
        peers[b * degree + found[b]++] = a;
      } else {
        ends[left++] = a;
        ends[left++] = b;
      }
    }
    return left;
  }

  private boolean someFit(int loose) {
    for (int i = 0; i < loose; i++) {
      for (int j = i + 1; j < loose; j++) {
        if (fit(ends[i], ends[j])) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean fit(int a, int b) {
    if (a == b) {
      return false;
    }
    for (int i = a * degree; i < a * degree + found[a]; i++) {
      if (peers[i] == b) {
        return false;
      }
    }
    return true;
  }

  /** Fisher and Yates's shuffle of the first {@code length} entries. */
  static void shuffle(int[] entries, int length, RandomGenerator random) {
    for (int i = length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = entries[i];
      entries[i] = entries[j];
      entries[j] = swapped;
    }
  }
}

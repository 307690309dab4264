package dev.grapevine.topology;

import java.util.Arrays;

/** Breadth-first search on adjacency rows. */
final class BreadthFirst {

  private BreadthFirst() {}

  /**
   * Fills {@code distances} with the number of edges from {@code start}, -1 where there is no way,
   * and returns the largest, or -1 when some node was not reached. {@code queue} is scratch space.
   */
  static int from(int start, int[][] links, int[] distances, int[] queue) {
    Arrays.fill(distances, -1);
    distances[start] = 0;
    queue[0] = start;
    int head = 0;
    int tail = 1;
    while (head < tail) {
      int node = queue[head++];
      for (int peer : links[node]) {
        if (distances[peer] < 0) {
          distances[peer] = distances[node] + 1;
          queue[tail++] = peer;
        }
      }
    }
    return tail == links.length ? distances[queue[tail - 1]] : -1;
  }
}

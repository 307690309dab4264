package dev.grapevine.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Splits a graph's edges into matchings, at most one more than the largest degree: J. Misra, D.
 * Gries, "A constructive proof of Vizing's theorem", 1992. O(nodes · edges).
 */
final class EdgeColouring {

  private static final int NONE = -1;

  private final Graph graph;

  /** The neighbour that a node meets in a colour, or NONE. */
  private final int[][] met;

  private EdgeColouring(Graph graph, int colours) {
    this.graph = graph;
    met = new int[graph.nodes()][colours];
    for (int[] row : met) {
      Arrays.fill(row, NONE);
    }
  }

  /** The matchings, each an undirected graph of degree 0 or 1; empty ones are left out. */
  static List<Graph> matchings(Graph graph) {
    int colours = 1;
    for (int node = 0; node < graph.nodes(); node++) {
      colours = Math.max(colours, graph.targets(node).length + 1);
    }
    EdgeColouring colouring = new EdgeColouring(graph, colours);
    for (int node = 0; node < graph.nodes(); node++) {
      for (int peer : graph.targets(node)) {
        if (peer > node) {
          colouring.colour(node, peer);
        }
      }
    }
    return colouring.byColour(colours);
  }

  private List<Graph> byColour(int colours) {
    List<Graph> matchings = new ArrayList<>();
    for (int colour = 0; colour < colours; colour++) {
      Graph.Builder matching = Graph.undirected(graph.nodes());
      for (int node = 0; node < graph.nodes(); node++) {
        if (met[node][colour] > node) {
          matching.add(node, met[node][colour]);
        }
      }
      Graph built = matching.build();
      if (built.edges() > 0) {
        matchings.add(built);
      }
    }
    return matchings;
  }

  private void colour(int hub, int peer) {
    List<Integer> fan = fan(hub, peer);
    int spare = free(hub);
    int wanted = free(fan.getLast());
    swapAlong(hub, spare, wanted);
    // After the swap some prefix of the fan is still one and ends where the colour is free.
    int last = 0;
    while (met[fan.get(last)][wanted] != NONE) {
      last++;
    }
    for (int i = 0; i < last; i++) {
      int colour = colourOf(hub, fan.get(i + 1));
      met[fan.get(i + 1)][colour] = NONE;
      join(hub, fan.get(i), colour);
    }
    join(hub, fan.get(last), wanted);
  }

  /** Neighbours of the hub, each one's edge of a colour that is free at the one before. */
  private List<Integer> fan(int hub, int first) {
    List<Integer> fan = new ArrayList<>(List.of(first));
    boolean grown = true;
    while (grown) {
      grown = false;
      for (int colour = 0; colour < met[hub].length && !grown; colour++) {
        int next = met[hub][colour];
        if (next != NONE && met[fan.getLast()][colour] == NONE && !fan.contains(next)) {
          fan.add(next);
          grown = true;
        }
      }
    }
    return fan;
  }

  /** Swaps two colours along the path of them that starts at a node where {@code spare} is free. */
  private void swapAlong(int start, int spare, int wanted) {
    List<Integer> path = new ArrayList<>(List.of(start));
    int colour = wanted;
    while (met[path.getLast()][colour] != NONE) {
      path.add(met[path.getLast()][colour]);
      colour = colour == wanted ? spare : wanted;
    }
    for (int node : path) {
      met[node][spare] = NONE;
      met[node][wanted] = NONE;
    }
    for (int i = 0; i + 1 < path.size(); i++) {
      join(path.get(i), path.get(i + 1), i % 2 == 0 ? spare : wanted);
    }
  }

  private void join(int node, int peer, int colour) {
    met[node][colour] = peer;
    met[peer][colour] = node;
  }

  private int free(int node) {
    int colour = 0;
    while (met[node][colour] != NONE) {
      colour++;
    }
    return colour;
  }

  private int colourOf(int node, int peer) {
    int colour = 0;
    while (met[node][colour] != peer) {
      colour++;
    }
    return colour;
  }
}

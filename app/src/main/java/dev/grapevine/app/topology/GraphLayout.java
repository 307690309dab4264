package dev.grapevine.app.topology;

import dev.grapevine.topology.Graph;
import java.util.Arrays;

/**
 * Where to draw the nodes of a graph, in the unit square.
 *
 * @param x horizontal places, one a node
 * @param y vertical places, one a node
 */
public record GraphLayout(double[] x, double[] y) {

  /** How nodes are placed. */
  public enum Style {
    /** Force for sparse graphs, a circle for dense ones, a disc for very large ones. */
    AUTO,
    /** In order, on a circle. */
    CIRCLE,
    /** Distances on paper follow distances in the graph. */
    FORCE
  }

  private static final int LARGEST_FOR_FORCE = 2500;

  /** More would lie on each other. */
  private static final int MOST_ON_CIRCLE = 600;

  public static GraphLayout of(Graph graph, Style style) {
    int nodes = graph.nodes();
    boolean dense = 2.0 * graph.edges() / nodes > Math.max(4, nodes / 4.0);
    boolean force =
        switch (style) {
          case FORCE -> true;
          case CIRCLE -> false;
          case AUTO -> !dense && nodes > 3 && nodes <= LARGEST_FOR_FORCE;
        };
    GraphLayout layout =
        force ? StressLayout.of(graph) : nodes <= MOST_ON_CIRCLE ? circle(nodes) : sunflower(nodes);
    GraphLayout fitted = layout.fitted();
    Spacing.apart(fitted.x, fitted.y, 0.5 / Math.sqrt(Math.max(1, nodes)));
    return fitted.fitted();
  }

  /** In order from the middle outwards, as seeds stand in a sunflower: each has a place its own. */
  private static GraphLayout sunflower(int nodes) {
    double golden = Math.PI * (3 - Math.sqrt(5));
    double[] x = new double[nodes];
    double[] y = new double[nodes];
    for (int node = 0; node < nodes; node++) {
      double radius = Math.sqrt(node + 0.5);
      x[node] = radius * Math.sin(node * golden);
      y[node] = -radius * Math.cos(node * golden);
    }
    return new GraphLayout(x, y);
  }

  private static GraphLayout circle(int nodes) {
    double[] x = new double[nodes];
    double[] y = new double[nodes];
    for (int node = 0; node < nodes; node++) {
      double angle = 2 * Math.PI * node / nodes;
      x[node] = Math.sin(angle);
      y[node] = -Math.cos(angle);
    }
    return new GraphLayout(x, y);
  }

  /** The same layout, moved and scaled to fill the unit square without changing its shape. */
  private GraphLayout fitted() {
    double left = Arrays.stream(x).min().orElse(0);
    double top = Arrays.stream(y).min().orElse(0);
    double width = Arrays.stream(x).max().orElse(0) - left;
    double height = Arrays.stream(y).max().orElse(0) - top;
    double size = Math.max(1e-9, Math.max(width, height));
    return new GraphLayout(
        Arrays.stream(x).map(v -> (v - left + (size - width) / 2) / size).toArray(),
        Arrays.stream(y).map(v -> (v - top + (size - height) / 2) / size).toArray());
  }
}

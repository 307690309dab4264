package dev.grapevine.app.topology;

import dev.grapevine.topology.Graph;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Places nodes so that distances on paper follow distances in the graph: minimizes the stress Σ
 * d<sub>ij</sub>⁻² (‖x<sub>i</sub> − x<sub>j</sub>‖ − d<sub>ij</sub>)² by moving one node at a time
 * to the mean of where the others want it. Starts from classical scaling, so that lattices and
 * rings unfold. O(nodes²) a sweep.
 *
 * <p>E. Gansner, Y. Koren, S. North, "Graph drawing by stress majorization", Graph Drawing 2004.
 */
final class StressLayout {

  private static final int SWEEPS = 120;
  private static final int POWER_STEPS = 60;

  /** Once no node moves further in a sweep, nobody sees it; a share of the largest distance. */
  private static final double LEAST_MOVE = 5e-4;

  private final int nodes;
  private final float[][] distances;

  private StressLayout(Graph graph) {
    nodes = graph.nodes();
    distances = new float[nodes][];
    for (int node = 0; node < nodes; node++) {
      distances[node] = distancesFrom(node, graph);
    }
  }

  static GraphLayout of(Graph graph) {
    StressLayout layout = new StressLayout(graph);
    double[][] axes = layout.classicalScaling();
    layout.stretch(axes[0], axes[1]);
    layout.relax(axes[0], axes[1]);
    return new GraphLayout(axes[0], axes[1]);
  }

  /** Edges count in both directions; what cannot be reached is put a little beyond the rest. */
  private static float[] distancesFrom(int start, Graph graph) {
    float[] distances = new float[graph.nodes()];
    Arrays.fill(distances, -1);
    int[] queue = new int[graph.nodes()];
    int tail = 1;
    queue[0] = start;
    distances[start] = 0;
    for (int head = 0; head < tail; head++) {
      int node = queue[head];
      for (int[] peers : new int[][] {graph.targets(node), graph.sources(node)}) {
        for (int peer : peers) {
          if (distances[peer] < 0) {
            distances[peer] = distances[node] + 1;
            queue[tail++] = peer;
          }
        }
      }
    }
    float beyond = distances[queue[tail - 1]] + 2;
    for (int i = 0; i < distances.length; i++) {
      distances[i] = distances[i] < 0 ? beyond : distances[i];
    }
    return distances;
  }

  private double[][] classicalScaling() {
    double[] rowMeans = new double[nodes];
    double mean = 0;
    for (int i = 0; i < nodes; i++) {
      for (double distance : distances[i]) {
        rowMeans[i] += distance * distance / nodes;
      }
      mean += rowMeans[i] / nodes;
    }
    SplittableRandom random = new SplittableRandom(1);
    double[][] axes = new double[2][nodes];
    for (double[] axis : axes) {
      Arrays.setAll(axis, i -> random.nextDouble() - 0.5);
    }
    for (int step = 0; step < POWER_STEPS; step++) {
      multiply(rowMeans, mean, axes);
      scale(axes[0], mean);
      double overlap = dot(axes[0], axes[1]) / dot(axes[0], axes[0]);
      for (int i = 0; i < nodes; i++) {
        axes[1][i] -= overlap * axes[0][i];
      }
      scale(axes[1], mean);
    }
    return axes;
  }

  /** Both axes times the doubly centred matrix of −d²/2. */
  private void multiply(double[] rowMeans, double mean, double[][] axes) {
    double[] x = new double[nodes];
    double[] y = new double[nodes];
    for (int i = 0; i < nodes; i++) {
      float[] row = distances[i];
      double sumX = 0;
      double sumY = 0;
      for (int j = 0; j < nodes; j++) {
        double d = row[j];
        double product = (rowMeans[i] + rowMeans[j] - mean - d * d) / 2;
        sumX += product * axes[0][j];
        sumY += product * axes[1][j];
      }
      x[i] = sumX;
      y[i] = sumY;
    }
    axes[0] = x;
    axes[1] = y;
  }

  private void scale(double[] axis, double mean) {
    double scale =
        Math.sqrt(mean)
            * Math.sqrt(Math.sqrt(nodes))
            / Math.sqrt(Math.max(1e-300, dot(axis, axis)));
    for (int i = 0; i < nodes; i++) {
      axis[i] *= scale;
    }
  }

  /** Gives the whole the size of least stress, which single moves would take long to find. */
  private void stretch(double[] x, double[] y) {
    double wanted = 0;
    double given = 0;
    for (int i = 0; i < nodes; i++) {
      for (int j = 0; j < i; j++) {
        double ratio = distance(x[i] - x[j], y[i] - y[j]) / distances[i][j];
        wanted += ratio;
        given += ratio * ratio;
      }
    }
    double factor = given == 0 ? 1 : wanted / given;
    for (int i = 0; i < nodes; i++) {
      x[i] *= factor;
      y[i] *= factor;
    }
  }

  private void relax(double[] x, double[] y) {
    double least = LEAST_MOVE * largestDistance();
    double largest = Double.MAX_VALUE;
    for (int sweep = 0; sweep < SWEEPS && largest > least * least; sweep++) {
      largest = 0;
      for (int i = 0; i < nodes; i++) {
        largest = Math.max(largest, move(i, x, y));
      }
    }
  }

  private double largestDistance() {
    float largest = 0;
    for (float[] row : distances) {
      for (float distance : row) {
        largest = Math.max(largest, distance);
      }
    }
    return largest;
  }

  /** Moves a node to where the others want it; the square of how far. */
  private double move(int node, double[] x, double[] y) {
    float[] row = distances[node];
    double fromX = x[node];
    double fromY = y[node];
    double sumX = 0;
    double sumY = 0;
    double sumOfWeights = 0;
    for (int j = 0; j < nodes; j++) {
      if (j != node) {
        double wanted = row[j];
        double dx = fromX - x[j];
        double dy = fromY - y[j];
        double inverse = 1 / wanted;
        double weight = inverse * inverse;
        double pull = inverse / Math.max(1e-9, distance(dx, dy));
        sumX += weight * x[j] + pull * dx;
        sumY += weight * y[j] + pull * dy;
        sumOfWeights += weight;
      }
    }
    if (sumOfWeights > 0) {
      x[node] = sumX / sumOfWeights;
      y[node] = sumY / sumOfWeights;
    }
    double movedX = x[node] - fromX;
    double movedY = y[node] - fromY;
    return movedX * movedX + movedY * movedY;
  }

  private static double distance(double dx, double dy) {
    return Math.sqrt(dx * dx + dy * dy);
  }

  private static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += x[i] * y[i];
    }
    return sum;
  }
}

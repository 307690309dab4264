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

  private final int nodes;
  private final double[][] distances;

  private StressLayout(Graph graph) {
    nodes = graph.nodes();
    distances = new double[nodes][];
    for (int node = 0; node < nodes; node++) {
      distances[node] = distancesFrom(node, graph);
    }
  }

  static GraphLayout of(Graph graph) {
    StressLayout layout = new StressLayout(graph);
    double[][] axes = layout.classicalScaling();
    layout.relax(axes[0], axes[1]);
    return new GraphLayout(axes[0], axes[1]);
  }

  /** Edges count in both directions; what cannot be reached is put a little beyond the rest. */
  private static double[] distancesFrom(int start, Graph graph) {
    double[] distances = new double[graph.nodes()];
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
    double beyond = distances[queue[tail - 1]] + 2;
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
      for (int k = 0; k < 2; k++) {
        double[] product = new double[nodes];
        for (int i = 0; i < nodes; i++) {
          for (int j = 0; j < nodes; j++) {
            double d = distances[i][j];
            product[i] += (rowMeans[i] + rowMeans[j] - mean - d * d) / 2 * axes[k][j];
          }
        }
        axes[k] = product;
        if (k == 1) {
          double overlap = dot(axes[0], axes[1]) / dot(axes[0], axes[0]);
          for (int i = 0; i < nodes; i++) {
            axes[1][i] -= overlap * axes[0][i];
          }
        }
        double scale =
            Math.sqrt(Math.sqrt(nodes)) / Math.sqrt(Math.max(1e-300, dot(axes[k], axes[k])));
        for (int i = 0; i < nodes; i++) {
          axes[k][i] *= scale * Math.sqrt(mean);
        }
      }
    }
    return axes;
  }

  private void relax(double[] x, double[] y) {
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      for (int i = 0; i < nodes; i++) {
        double sumX = 0;
        double sumY = 0;
        double sumOfWeights = 0;
        for (int j = 0; j < nodes; j++) {
          if (i != j) {
            double wanted = distances[i][j];
            double weight = 1 / (wanted * wanted);
            double dx = x[i] - x[j];
            double dy = y[i] - y[j];
            double pull = wanted / Math.max(1e-9, Math.sqrt(dx * dx + dy * dy));
            sumX += weight * (x[j] + pull * dx);
            sumY += weight * (y[j] + pull * dy);
            sumOfWeights += weight;
          }
        }
        if (sumOfWeights > 0) {
          x[i] = sumX / sumOfWeights;
          y[i] = sumY / sumOfWeights;
        }
      }
    }
  }

  private static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += x[i] * y[i];
    }
    return sum;
  }
}

package dev.grapevine.topology;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * MATCHA's two optimizations: how often each matching is on, and with what weight models are mixed.
 * λ₂ is concave in the chances and vᵀ L_j v is its slope, v being the eigenvector: projected
 * ascent, the mean of the later points. The norm is convex in the weight: golden section.
 */
final class MatchingChances {

  private static final int STEPS = 400;
  private static final int POWER_STEPS = 10;
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  private final List<Graph> matchings;
  private final double[] chances;

  private MatchingChances(List<Graph> matchings, double[] chances) {
    this.matchings = matchings;
    this.chances = chances;
  }

  static MatchingChances of(List<Graph> matchings, double budget) {
    double[] chances = new double[matchings.size()];
    Arrays.fill(chances, budget);
    if (budget < 1 && chances.length > 1) {
      chances = ascend(matchings, chances);
    }
    return new MatchingChances(matchings, chances);
  }

  double chance(int matching) {
    return chances[matching];
  }

  private static double[] ascend(List<Graph> matchings, double[] chances) {
    int nodes = matchings.getFirst().nodes();
    double total = Arrays.stream(chances).sum();
    RandomGenerator random = RandomGraph.random(nodes, 0);
    double[] slow = new double[nodes];
    Arrays.setAll(slow, i -> random.nextDouble() - 0.5);
    double[] mean = new double[chances.length];
    for (int step = 0; step < STEPS; step++) {
      // λ_max of a sum of matchings' Laplacians is at most twice the sum of their chances.
      for (int i = 0; i < (step == 0 ? 40 * POWER_STEPS : POWER_STEPS); i++) {
        double[] spread = laplacian(matchings, chances, slow);
        for (int node = 0; node < nodes; node++) {
          slow[node] -= spread[node] / (2 * total);
        }
        Lanczos.unit(Lanczos.centre(slow));
      }
      double rate = 0.5 / Math.sqrt(1 + step);
      double[] next = chances.clone();
      double[] slopes = new double[chances.length];
      double largest = 1e-300;
      for (int j = 0; j < next.length; j++) {
        slopes[j] = squaredDifferences(matchings.get(j), slow);
        largest = Math.max(largest, slopes[j]);
      }
      for (int j = 0; j < next.length; j++) {
        next[j] += rate * slopes[j] / largest;
      }
      chances = project(next, total);
      if (2 * step >= STEPS) {
        for (int j = 0; j < mean.length; j++) {
          mean[j] += 2 * chances[j] / STEPS;
        }
      }
    }
    return project(mean, total);
  }

  /** vᵀ L v of a matching. */
  private static double squaredDifferences(Graph matching, double[] v) {
    double sum = 0;
    for (int node = 0; node < v.length; node++) {
      for (int peer : matching.targets(node)) {
        sum += (v[node] - v[peer]) * (v[node] - v[peer]) / 2;
      }
    }
    return sum;
  }

  /** The nearest point of [0, 1]^M with this sum: all moved by as much, then cut off. */
  private static double[] project(double[] point, double total) {
    double low = -2 - Arrays.stream(point).max().orElse(0);
    double high = 2 + Math.abs(Arrays.stream(point).min().orElse(0));
    for (int i = 0; i < 100; i++) {
      double shift = (low + high) / 2;
      if (Arrays.stream(point).map(p -> Math.clamp(p + shift, 0, 1)).sum() < total) {
        low = shift;
      } else {
        high = shift;
      }
    }
    double shift = high;
    return Arrays.stream(point).map(p -> Math.clamp(p + shift, 0, 1)).toArray();
  }

  /** α that minimizes ‖I − 2α L̄ + α² (L̄² + 2 Σ p_j (1 − p_j) L_j) − J‖. */
  double bestWeight() {
    double low = 0;
    double high = 1;
    double left = high - GOLDEN;
    double right = GOLDEN;
    double atLeft = disagreement(left);
    double atRight = disagreement(right);
    while (high - low > 1e-9) {
      if (atLeft < atRight) {
        high = right;
        right = left;
        atRight = atLeft;
        left = high - GOLDEN * (high - low);
        atLeft = disagreement(left);
      } else {
        low = left;
        left = right;
        atLeft = atRight;
        right = low + GOLDEN * (high - low);
        atRight = disagreement(right);
      }
    }
    return (low + high) / 2;
  }

  private double disagreement(double weight) {
    double[] variances = Arrays.stream(chances).map(p -> 2 * p * (1 - p)).toArray();
    // Positive semidefinite, being an expectation of WᵀW: the largest eigenvalue is the norm.
    return Lanczos.largest(
            matchings.getFirst().nodes(),
            x -> {
              double[] once = laplacian(matchings, chances, x);
              double[] twice = laplacian(matchings, chances, once);
              double[] varied = laplacian(matchings, variances, x);
              double[] result = new double[x.length];
              for (int i = 0; i < x.length; i++) {
                result[i] = x[i] - 2 * weight * once[i] + weight * weight * (twice[i] + varied[i]);
              }
              return result;
            })
        .value();
  }

  private static double[] laplacian(List<Graph> matchings, double[] weights, double[] x) {
    double[] result = new double[x.length];
    for (int j = 0; j < weights.length; j++) {
      for (int node = 0; node < x.length; node++) {
        for (int peer : matchings.get(j).targets(node)) {
          result[node] += weights[j] * (x[node] - x[peer]);
        }
      }
    }
    return result;
  }
}

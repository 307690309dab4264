package dev.grapevine.topology;

import java.util.Arrays;
import java.util.Optional;

/**
 * What there is to know about a topology's graph and weights in one round; where the graph goes
 * through a cycle, the gap is also given for the whole cycle.
 *
 * @param nodes number of nodes
 * @param edges number of edges, undirected ones counted once
 * @param directed whether some edge runs one way only
 * @param minimumDegree fewest peers that a node sends to
 * @param maximumDegree most peers that a node sends to
 * @param connected whether every node reaches every other
 * @param diameter longest shortest path in edges, or -1 when not connected
 * @param gap the spectral gap of one round's mixing
 * @param smallestEigenvalue of one round's mixing; empty when the weights are not symmetric
 * @param period see {@link Topology#period}
 * @param gapOfPeriod the spectral gap of a whole cycle's mixing; equal to {@code gap} when there is
 *     no cycle
 * @param doublyStochastic whether rows and columns of the mixing matrix add up to one
 * @param largestColumnError how far a column sum is from one at most
 */
public record TopologyFacts(
    int nodes,
    long edges,
    boolean directed,
    int minimumDegree,
    int maximumDegree,
    boolean connected,
    int diameter,
    SpectralGap gap,
    Optional<SmallestEigenvalue> smallestEigenvalue,
    int period,
    SpectralGap gapOfPeriod,
    boolean doublyStochastic,
    double largestColumnError) {

  private static final double TOLERANCE = 1e-9;

  /** The facts of {@code topology} in {@code round}. */
  public static TopologyFacts of(Topology topology, int round) {
    Graph graph = Graph.of(topology, round);
    int fewest = Integer.MAX_VALUE;
    int most = 0;
    boolean positive = true;
    double rowError = 0;
    for (int node = 0; node < graph.nodes(); node++) {
      fewest = Math.min(fewest, graph.targets(node).length);
      most = Math.max(most, graph.targets(node).length);
      Neighbourhood row = topology.neighbours(node, round);
      double sum = row.selfWeight() + Arrays.stream(row.weights()).sum();
      rowError = Math.max(rowError, Math.abs(1 - sum));
      positive &= row.selfWeight() >= 0 && Arrays.stream(row.weights()).allMatch(w -> w >= 0);
    }
    double columnError = columnError(topology, round);
    SpectralGap gap = SpectralGap.of(topology, round, 1);
    int period = topology.period();
    return new TopologyFacts(
        graph.nodes(),
        graph.edges(),
        graph.isDirected(),
        fewest,
        most,
        graph.isConnected(),
        graph.diameter(),
        gap,
        SmallestEigenvalue.of(topology, round),
        period,
        period > 1 ? SpectralGap.of(topology, round, period) : gap,
        positive && rowError < TOLERANCE && columnError < TOLERANCE,
        columnError);
  }

  private static double columnError(Topology topology, int round) {
    double[] ones = new double[topology.nodes()];
    Arrays.fill(ones, 1);
    double error = 0;
    for (double sum : new MixingMatrix(topology, round, 1).transposedTimes(ones)) {
      error = Math.max(error, Math.abs(1 - sum));
    }
    return error;
  }
}

package dev.grapevine.topology;

/** The mixing weights of one or several rounds, as a linear map on one number per node. */
final class MixingMatrix {

  private final Topology topology;
  private final int firstRound;
  private final int rounds;

  /** The product W(first + rounds − 1) … W(first). */
  MixingMatrix(Topology topology, int firstRound, int rounds) {
    this.topology = topology;
    this.firstRound = firstRound;
    this.rounds = rounds;
  }

  int nodes() {
    return topology.nodes();
  }

  /** What every node has after mixing {@code x}. */
  double[] times(double[] x) {
    for (int round = firstRound; round < firstRound + rounds; round++) {
      double[] mixed = new double[x.length];
      for (int node = 0; node < x.length; node++) {
        Neighbourhood row = topology.neighbours(node, round);
        double sum = row.selfWeight() * x[node];
        for (int i = 0; i < row.weights().length; i++) {
          sum += row.weights()[i] * x[row.hearsFrom()[i]];
        }
        mixed[node] = sum;
      }
      x = mixed;
    }
    return x;
  }

  /** The transposed matrix times {@code x}; of all ones, the column sums. */
  double[] transposedTimes(double[] x) {
    for (int round = firstRound + rounds - 1; round >= firstRound; round--) {
      double[] spread = new double[x.length];
      for (int node = 0; node < x.length; node++) {
        Neighbourhood row = topology.neighbours(node, round);
        spread[node] += row.selfWeight() * x[node];
        for (int i = 0; i < row.weights().length; i++) {
          spread[row.hearsFrom()[i]] += row.weights()[i] * x[node];
        }
      }
      x = spread;
    }
    return x;
  }
}

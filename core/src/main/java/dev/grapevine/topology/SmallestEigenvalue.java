package dev.grapevine.topology;

import java.util.Arrays;
import java.util.Optional;

/**
 * λ_min, the smallest eigenvalue of a round's symmetric mixing matrix W: from −1 (mixing twice
 * brings back what was) to 1. Rules that use W twice in a round's recursion, such as D², diverge
 * when it is too low; lazy weights, (W + I)/2, lift it to (λ_min + 1)/2 ≥ 0.
 *
 * <p>Found by {@link Lanczos} iteration on −W.
 *
 * @param value the eigenvalue
 * @param exact false when the iteration was cut short; then {@code value} is an upper bound
 */
public record SmallestEigenvalue(double value, boolean exact) {

  private static final double TOLERANCE = 1e-12;

  /** That of one round; empty when the weights are not symmetric. */
  public static Optional<SmallestEigenvalue> of(Topology topology, int round) {
    if (!isSymmetric(topology, round)) {
      return Optional.empty();
    }
    if (topology.nodes() == 1) {
      return Optional.of(new SmallestEigenvalue(1, true));
    }
    MixingMatrix matrix = new MixingMatrix(topology, round, 1);
    Lanczos.Largest negative =
        Lanczos.largest(
            topology.nodes(), x -> Arrays.stream(matrix.times(x)).map(each -> -each).toArray());
    return Optional.of(new SmallestEigenvalue(-negative.value(), negative.exact()));
  }

  private static boolean isSymmetric(Topology topology, int round) {
    for (int node = 0; node < topology.nodes(); node++) {
      Neighbourhood row = topology.neighbours(node, round);
      for (int i = 0; i < row.weights().length; i++) {
        Neighbourhood back = topology.neighbours(row.hearsFrom()[i], round);
        int at = Arrays.binarySearch(back.hearsFrom(), node);
        if (at < 0 || Math.abs(back.weights()[at] - row.weights()[i]) > TOLERANCE) {
          return false;
        }
      }
    }
    return true;
  }
}

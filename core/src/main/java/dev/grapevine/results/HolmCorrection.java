package dev.grapevine.results;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Holm's step-down correction of several probabilities (S. Holm, "A simple sequentially rejective
 * multiple test procedure", Scandinavian Journal of Statistics 6, 1979): however many tests there
 * are, the chance that any of them errs stays below the level.
 */
public final class HolmCorrection {

  private HolmCorrection() {}

  /** The corrected probabilities, in the same order; NaN, a test that could not be made, stays. */
  public static double[] of(double[] p) {
    int[] rising =
        IntStream.range(0, p.length)
            .filter(i -> !Double.isNaN(p[i]))
            .boxed()
            .sorted(Comparator.comparingDouble(i -> p[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    double[] corrected = Arrays.copyOf(p, p.length);
    double highest = 0;
    for (int rank = 0; rank < rising.length; rank++) {
      highest = Math.max(highest, Math.min(1, (rising.length - rank) * p[rising[rank]]));
      corrected[rising[rank]] = highest;
    }
    return corrected;
  }
}

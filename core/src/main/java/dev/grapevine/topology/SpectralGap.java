package dev.grapevine.topology;

/**
 * How fast gossip forgets disagreement: 1 − ‖(I − J) W (I − J)‖₂, with W the mixing matrix and J
 * the exact averaging. One mixing shrinks the distance from the mean at least by the factor 1 −
 * gap. For symmetric weights this is the usual 1 − max(|λ₂|, |λₙ|).
 *
 * <p>Found by {@link Lanczos} iteration on the square of the restricted matrix.
 *
 * @param value the gap, from 0 (never agrees) to 1 (agrees at once)
 * @param exact false when the iteration was cut short; then {@code value} is an upper bound
 */
public record SpectralGap(double value, boolean exact) {

  /** The gap of {@code rounds} rounds of mixing from {@code firstRound} on, taken together. */
  public static SpectralGap of(Topology topology, int firstRound, int rounds) {
    return of(new MixingMatrix(topology, firstRound, rounds));
  }

  static SpectralGap of(MixingMatrix matrix) {
    Lanczos.Largest square =
        Lanczos.largest(
            matrix.nodes(), x -> matrix.transposedTimes(Lanczos.centre(matrix.times(x))));
    double gap = 1 - Math.sqrt(Math.max(0, square.value()));
    return new SpectralGap(Math.min(1, gap < 1e-12 ? 0 : gap), square.exact());
  }
}

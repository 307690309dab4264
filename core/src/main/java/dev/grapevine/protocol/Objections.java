package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.SmallestEigenvalue;
import dev.grapevine.topology.Topology;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The reasons for which protocols turn down an encoding or a topology, each by what it can do. */
public final class Objections {

  /** How many rounds of a changing topology are looked at. */
  private static final int ROUNDS = 4;

  private static final double ROUNDING = 1e-9;

  private Objections() {}

  /** The first of some objections. */
  @SafeVarargs
  public static Optional<String> first(Optional<String>... objections) {
    for (Optional<String> objection : objections) {
      if (objection.isPresent()) {
        return objection;
      }
    }
    return Optional.empty();
  }

  /** {@code reason} unless it holds. */
  public static Optional<String> unless(boolean holds, String reason) {
    return holds ? Optional.empty() : Optional.of(reason);
  }

  /** A protocol that runs in rounds with ever new neighbours. */
  public static Optional<String> changingNeighbours(Encoding encoding) {
    return unless(
        encoding.continuity() != Continuity.NEIGHBOURS,
        "its neighbours change, and the scheme follows its neighbours by replicas; take a scheme"
            + " without replicas, or choco with neighbours = \"changing\"");
  }

  /** A protocol in which nobody waits for anybody's message. */
  public static Optional<String> asynchronous(Encoding encoding) {
    return unless(
        encoding.continuity() == Continuity.NONE,
        "its messages come at any time or not at all, and each message of the scheme builds on the"
            + " one before; take full or a scheme of partial sharing such as jwins++");
  }

  /** A protocol whose clients talk to a server only when they are asked. */
  public static Optional<String> server(Encoding encoding) {
    return first(
        vectors(encoding),
        unless(
            encoding.continuity() == Continuity.NONE,
            "its clients come and go, and each message of the scheme builds on the one before; take"
                + " full or a scheme of partial sharing such as jwins++"));
  }

  /** A protocol that mixes vectors and nothing else. */
  public static Optional<String> vectors(Encoding encoding) {
    return unless(
        encoding.carriesVectors(),
        "it mixes vectors, and the scheme's messages hold none; take full or any other scheme that"
            + " sends models");
  }

  /**
   * A protocol that diverges unless the smallest eigenvalue of the mixing matrix is above a bound.
   * Of a topology that changes, the first rounds are looked at.
   *
   * @param shared keeps the answer for the other nodes
   */
  public static Optional<String> smallestEigenvalue(
      double bound, Topology topology, Shared shared) {
    return shared.get(
        List.of("smallest eigenvalue above", bound, topology), () -> tooSmall(bound, topology));
  }

  private static Optional<String> tooSmall(double bound, Topology topology) {
    int rounds = topology.period() == 0 ? ROUNDS : Math.min(ROUNDS, topology.period());
    for (int round = 0; round < rounds; round++) {
      Optional<SmallestEigenvalue> smallest = SmallestEigenvalue.of(topology, round);
      if (smallest.isEmpty()) {
        return Optional.of(
            "it needs symmetric weights, and those of the topology are not; take one whose edges run"
                + " both ways, with weights = \"metropolis-hastings\"");
      }
      if (smallest.get().value() <= bound + ROUNDING) {
        return Optional.of(
            String.format(
                Locale.ROOT,
                "it diverges unless the smallest eigenvalue of the mixing weights is above %.3f, and"
                    + " the topology's is %.3f; set topology.lazy = true, which mixes with (W + I)/2",
                bound,
                smallest.get().value()));
      }
    }
    return Optional.empty();
  }

  /** A protocol whose nodes correct each other's drift: exact only by the topology's weights. */
  public static Optional<String> exactMixing(Encoding encoding, Aggregator rule) {
    return first(
        whole(encoding, "its correction cancels only when all coordinates are mixed"),
        unless(
            encoding.keepsMean() && rule.isLinear(),
            "its correction is exact only when models are mixed with the topology's weights; take"
                + " sharing.kind = \"full\" and aggregation.kind = \"weighted\""));
  }

  /** A protocol whose nodes correct each other's drift, and so must stay neighbours. */
  public static Optional<String> fixedNeighbours(Topology topology) {
    return unless(
        topology.period() == 1,
        "its correction follows the same neighbours from round to round; take a topology that does"
            + " not change");
  }

  /** A protocol whose trackers add up to what they track. */
  public static Optional<String> tracking(Encoding encoding, Aggregator rule, Topology topology) {
    return first(
        vectors(encoding),
        unless(
            encoding.keepsMean() && rule.isLinear(),
            "its trackers add up to the gradients only if mixing keeps the mean; take"
                + " aggregation.kind = \"weighted\" and a scheme that keeps it, such as full,"
                + " round-robin or choco"),
        topology.period() == 1 ? Optional.empty() : changingNeighbours(encoding));
  }

  /** A protocol that needs every coordinate in every message. */
  public static Optional<String> whole(Encoding encoding, String why) {
    return unless(
        encoding.isWhole(),
        why
            + ", and the scheme leaves coordinates out; take full, with a codec for its values if you"
            + " like");
  }
}

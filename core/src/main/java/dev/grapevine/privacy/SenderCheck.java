package dev.grapevine.privacy;

import dev.grapevine.exchange.Senders;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/**
 * Whether those who send to a node are enough to hide among. On a graph that stays the same every
 * node must have enough; on one that changes, a node that has too few sits the round out.
 */
final class SenderCheck {

  /** How many rounds of a graph that never repeats are looked at. */
  private static final int ROUNDS = 8;

  private SenderCheck() {}

  static Optional<String> objection(Senders senders, int least, int most) {
    return switch (senders) {
      case Senders.Unknown(String reason) ->
          Optional.of("it does not go with this protocol: " + reason);
      case Senders.Told(int atMost) ->
          atMost >= least
              ? Optional.empty()
              : Optional.of(
                  "no sum is over more than %d senders, and privacy.least is %d; let more take part"
                      .formatted(atMost, least));
      case Senders.Planned(Topology graph) ->
          graph.period() == 1 ? always(graph, least, most) : sometimes(graph, least);
    };
  }

  private static Optional<String> always(Topology graph, int least, int most) {
    for (int node = 0; node < graph.nodes(); node++) {
      int senders = graph.neighbours(node, 0).hearsFrom().length;
      if (senders > 0 && senders < least) {
        return Optional.of(tooFew(node, senders, least));
      }
      if (senders > most) {
        return Optional.of(
            "node %d hears from %d others, and sums of more than %d could wrap; take a sparser"
                    .formatted(node, senders, most)
                + " topology"
                + (most < 4095 ? ", or bits = 32" : ""));
      }
    }
    return Optional.empty();
  }

  private static String tooFew(int node, int senders, int least) {
    String remedy =
        senders == 2
            ? "take a topology of degree %d or more, or set least = 2 if neighbours do not work"
                    .formatted(least)
                + " together"
            : "take a topology of degree %d or more".formatted(least);
    return "node %d hears from %d other%s, too few to hide among: privacy.least is %d; %s"
        .formatted(node, senders, senders == 1 ? "" : "s", least, remedy);
  }

  private static Optional<String> sometimes(Topology graph, int least) {
    int rounds = graph.period() == 0 ? ROUNDS : Math.min(ROUNDS, graph.period());
    for (int round = 0; round < rounds; round++) {
      for (int node = 0; node < graph.nodes(); node++) {
        Neighbourhood neighbours = graph.neighbours(node, round);
        if (neighbours.hearsFrom().length >= least) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(
        "no node ever hears from as many as privacy.least = %d others in a round; take a topology"
                .formatted(least)
            + " of that degree");
  }
}

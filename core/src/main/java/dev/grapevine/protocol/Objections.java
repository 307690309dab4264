package dev.grapevine.protocol;

import dev.grapevine.sharing.Continuity;
import java.util.Optional;

/** The reasons for which a protocol turns a sharing scheme down. */
final class Objections {

  private Objections() {}

  /** A protocol that does not use its nodes' sharing schemes. */
  static Optional<String> ownEncoding(String sharing, String what) {
    return sharing.equals("full")
        ? Optional.empty()
        : Optional.of(
            "it sends %s in an encoding of its own; take sharing.kind = \"full\"".formatted(what));
  }

  /** A protocol that runs in rounds with ever new neighbours. */
  static Optional<String> changingNeighbours(Continuity continuity) {
    return continuity == Continuity.NEIGHBOURS
        ? Optional.of(
            "its neighbours change, and the scheme follows its neighbours by replicas; take a scheme"
                + " without replicas, or choco with neighbours = \"changing\"")
        : Optional.empty();
  }

  /** A protocol in which nobody waits for anybody's message. */
  static Optional<String> asynchronous(Continuity continuity) {
    return continuity == Continuity.NONE
        ? Optional.empty()
        : Optional.of(
            "its messages come at any time or not at all, and each message of the scheme builds on"
                + " the one before; take full or a scheme of partial sharing such as jwins++");
  }
}

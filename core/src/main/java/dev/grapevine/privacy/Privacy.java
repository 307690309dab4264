package dev.grapevine.privacy;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Secrecy;
import dev.grapevine.exchange.Senders;
import dev.grapevine.settings.Family;
import dev.grapevine.sharing.Encoding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What all nodes of a run keep from each other, and how. */
public interface Privacy {

  Family<Void, Privacy> FAMILY =
      new Family<>("privacy", Privacy.class, Void.class, "what nodes keep from each other");

  /** Whether it changes anything. */
  boolean isNone();

  /**
   * Why it cannot work with the rest of a node, as a sentence; empty when it can. Ask for what the
   * parts can do, never for their names.
   */
  default Optional<String> objection(Encoding encoding, Aggregator rule, Senders senders) {
    return Optional.empty();
  }

  /** Begins a run. */
  default Nodes begin(Start start) {
    return node -> null;
  }

  /** What becomes of each node of a run. */
  @FunctionalInterface
  interface Nodes {

    /** How a node keeps what it says secret; null when it does not. */
    @Nullable Secrecy of(int node);
  }

  /** What a user should know before a run in one process. */
  default Optional<String> warning() {
    return Optional.empty();
  }
}

package dev.grapevine.privacy;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Secrecy;
import dev.grapevine.exchange.Senders;
import dev.grapevine.settings.Family;
import dev.grapevine.sharing.Encoding;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
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

  /** Begins a run: makes the secrets of this process's nodes. */
  default Beginning begin(Start start) {
    return Beginning.NOTHING;
  }

  /** Nodes that have their secrets and still have to hear of each other. */
  interface Beginning {

    /** Nobody has a secret. */
    Beginning NOTHING =
        new Beginning() {
          @Override
          public SortedMap<Integer, byte[]> shown() {
            return Collections.emptySortedMap();
          }

          @Override
          public Nodes knowing(SortedMap<Integer, byte[]> all) {
            return node -> null;
          }
        };

    /**
     * What everybody must know of this process's nodes, by node: their public keys. Empty when
     * there are none; then all processes have none.
     */
    SortedMap<Integer, byte[]> shown();

    /**
     * The nodes, once it is known what all processes show.
     *
     * @param all by node
     */
    Nodes knowing(SortedMap<Integer, byte[]> all);
  }

  /** What becomes of each node of a run. */
  @FunctionalInterface
  interface Nodes {

    /** How a node keeps what it says secret; null when it does not. */
    @Nullable Secrecy of(int node);
  }

  /** Whether it hides anything from somebody who runs a node elsewhere. */
  default boolean hides() {
    return false;
  }

  /**
   * What a user should know before a run.
   *
   * @param processes in how many processes the nodes are
   * @param certified whether an authority vouches for whoever shows keys
   */
  default Optional<String> warning(int processes, boolean certified) {
    return Optional.empty();
  }
}

package dev.grapevine.protocol;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** A node's links with the rounds in which they count, those agreed on for later included. */
final class Links {

  private record Span(int first, int last) {}

  private static final int FOREVER = Integer.MAX_VALUE;

  private final Map<Integer, Span> spans = new TreeMap<>();

  /** Peer, first and last round by turns, to be saved. */
  long[] toLongs() {
    return spans.entrySet().stream()
        .flatMapToLong(
            entry -> LongStream.of(entry.getKey(), entry.getValue().first, entry.getValue().last))
        .toArray();
  }

  /** Goes on from {@link #toLongs}. */
  void restore(long[] saved) {
    for (int i = 0; i < saved.length; i += 3) {
      spans.put((int) saved[i], new Span((int) saved[i + 1], (int) saved[i + 2]));
    }
  }

  /** The peers whose link counts in {@code round}, rising. */
  int[] at(int round) {
    return spans.entrySet().stream()
        .filter(entry -> entry.getValue().first <= round && round <= entry.getValue().last)
        .mapToInt(Map.Entry::getKey)
        .toArray();
  }

  /** How many links there are, those that are to end or to begin included. */
  int size() {
    return spans.size();
  }

  /** How many links will surely count in {@code round} and after. */
  int lasting(int round) {
    return (int)
        spans.values().stream().filter(span -> span.last == FOREVER && span.first <= round).count();
  }

  /** The peers whose link counts in {@code round} and has no end yet, rising. */
  int[] keptAt(int round) {
    return spans.entrySet().stream()
        .filter(entry -> entry.getValue().first <= round && entry.getValue().last == FOREVER)
        .mapToInt(Map.Entry::getKey)
        .toArray();
  }

  /** Whether there is a link, even one that is to end or to begin. */
  boolean knows(int peer) {
    return spans.containsKey(peer);
  }

  boolean keeps(int peer) {
    Span span = spans.get(peer);
    return span != null && span.last == FOREVER;
  }

  /** The first round in which a known link counts. */
  int first(int peer) {
    return span(peer).first;
  }

  /** The last round in which a known link counts. */
  int last(int peer) {
    return span(peer).last;
  }

  private Span span(int peer) {
    Span span = spans.get(peer);
    if (span == null) {
      throw new IllegalArgumentException("no link: peer=" + peer);
    }
    return span;
  }

  /** A link that counts from {@code first} on. */
  void add(int peer, int first) {
    spans.put(peer, new Span(first, FOREVER));
  }

  /**
   * The link counts up to {@code last}; one that would begin later begins then and ends at once.
   */
  void remove(int peer, int last) {
    Span span = spans.get(peer);
    if (span != null) {
      spans.put(peer, new Span(span.first, Math.max(span.first, last)));
    }
  }

  /** Drops links that have ended before {@code round} is over. */
  void forgetBefore(int round) {
    spans.values().removeIf(span -> span.last <= round);
  }
}

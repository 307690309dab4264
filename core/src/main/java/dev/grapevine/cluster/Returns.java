package dev.grapevine.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Workers that were lost and are to come back while the others wait for them. All its state belongs
 * to the coordinator's thread.
 */
final class Returns {

  /** A worker that is to come back; {@code rounds} is negative until it was started. */
  private record Awaited(int rounds, long since) {}

  private final Map<Integer, Awaited> awaited = new HashMap<>();
  private final Map<Integer, Integer> incarnations = new HashMap<>();

  /** A worker was lost and is to come back. */
  void await(int rank, long now) {
    awaited.put(rank, new Awaited(-1, now));
    incarnations.merge(rank, 1, Integer::sum);
  }

  /** It was started again, with its nodes as they were after so many rounds. */
  void started(int rank, int rounds, long now) {
    awaited.put(rank, new Awaited(rounds, now));
  }

  /** The round that a worker begins with which is awaited; empty for any other. */
  OptionalInt firstRound(int rank) {
    Awaited entry = awaited.get(rank);
    return entry == null || entry.rounds() < 0
        ? OptionalInt.empty()
        : OptionalInt.of(entry.rounds());
  }

  boolean isAwaited(int rank) {
    return awaited.containsKey(rank);
  }

  /** It has joined; returns how often the worker of this rank has been replaced. */
  int joined(int rank) {
    awaited.remove(rank);
    return incarnations.getOrDefault(rank, 0);
  }

  /** Whether nobody is waited for. */
  boolean isEmpty() {
    return awaited.isEmpty();
  }

  /** One who was started so long ago that it will not come any more. */
  OptionalInt overdue(long now, long patience) {
    return awaited.entrySet().stream()
        .filter(entry -> now - entry.getValue().since() > patience)
        .mapToInt(Map.Entry::getKey)
        .findFirst();
  }
}
